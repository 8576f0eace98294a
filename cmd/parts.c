#include "cmd/parts.h"

#include "cmd/parts_state.h"

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/manifest_folder.h"
#include "render/join.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_png(const struct target *target)
{
    const struct sink_ops *ops;
    return sink_choose(&target->params, &ops) == STATUS_OK && ops == &sink_png;
}

/* Neither a pipe nor a device: something that can be put into place at the end. */
static bool is_plain(const char *path)
{
    struct stat found;
    return strcmp(path, "-") != 0 && (stat(path, &found) != 0 || S_ISREG(found.st_mode));
}

bool parts_suit(const struct target *target)
{
    return is_plain(target->params.path) && (is_png(target) || target->plan.container);
}

static char *folder_of(const struct target *target)
{
    return text_format("%s.parts", target->params.path);
}

static enum status no_memory(void)
{
    return status_fail(STATUS_RUNTIME, "no memory left for the parts of the film");
}

enum status parts_sweep(const struct target *target)
{
    int lock = -1;
    char *folder = folder_of(target);
    if (!folder)
        return no_memory();
    enum status status = STATUS_OK;
    if (file_exists(folder))
        status = folder_lock(folder, false, &lock);
    if (status == STATUS_OK && lock >= 0)
        status = folder_clear(folder, true);
    if (lock >= 0)
        close(lock);
    free(folder);
    return status;
}

bool parts_there(const struct target *target)
{
    char *folder = parts_suit(target) ? folder_of(target) : NULL;
    const bool there = folder && manifest_exists(folder);
    free(folder);
    return there;
}

enum status parts_check(const struct target *target, bool resume, bool overwrite)
{
    if (resume && !parts_suit(target))
        return status_fail(STATUS_USAGE,
                           "--resume wants a film in a file or a PNG sequence, and '%s' is neither",
                           target->params.path);
    if (resume || overwrite || !parts_there(target))
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "a run of '%s' was cut short, and '%s.parts' has what it made; go on with "
                       "--resume, or begin anew with -y",
                       target->params.path, target->params.path);
}

static char *frame_file(void *user, uint64_t frame)
{
    const struct parts *parts = user;
    char name[4096];
    return sink_png_name(parts->target->params.path, frame, name, sizeof name) == STATUS_OK
               ? strdup(name)
               : NULL;
}

uint64_t parts_length(const struct parts *parts)
{
    return parts->plan.segment;
}

bool parts_calibrated(const struct parts *parts)
{
    return parts->calibrated;
}

/* The film of this scene that a stopped run has left may be replaced, any other only with -y. */
static enum status check_film(const struct parts *parts, bool overwrite)
{
    const char *path = parts->target->params.path;
    uint64_t frames;
    if (overwrite || parts->png || !file_exists(path) ||
        target_holds_film(parts->target, parts->film->scene, &frames))
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' exists already and is not what the run to be resumed has left there; "
                       "replace it with -y or move it away",
                       path);
}

static enum status open_manifest(struct parts *parts, bool resume, bool overwrite)
{
    char *folder = folder_of(parts->target);
    if (!folder)
        return no_memory();
    const bool there = manifest_exists(folder);
    enum status status;
    if (resume && there) {
        status = manifest_open(&parts->manifest, folder, &parts->plan);
        if (status == STATUS_OK)
            status = check_film(parts, overwrite);
        parts->resumed = true;
    } else {
        if (resume)
            log_info("there is no '%s' to go on from: the film begins at its first frame", folder);
        status = manifest_create(&parts->manifest, folder, &parts->plan);
    }
    free(folder);
    if (status != STATUS_OK)
        return status;
    parts->manifest->frame_file = frame_file;
    parts->manifest->user = parts;
    return parts->resumed ? manifest_verify(parts->manifest, NULL) : STATUS_OK;
}

static enum status fill(struct parts *parts, bool resume, bool overwrite, uint64_t *start)
{
    const struct scene *scene = parts->film->scene;
    parts->scene = scene_print(scene);
    if (!parts->scene)
        return no_memory();
    scene_hash(scene, parts->scene_hash);
    enum status status = film_state_hash(parts->film, parts->start_hash);
    if (status == STATUS_OK)
        status = film_tags_make(&parts->tags, parts->film, &parts->target->plan);
    film_tags_frames(&parts->tags, parts->target->first, parts->target->last, scene->output.frames);
    const bool cuda = simulation_solver(parts->film->simulations[0])->ops == &solver_cuda;
    parts->plan = (struct manifest_plan){
        .program = cuda ? GRAVREEL_VERSION " with cuda" : GRAVREEL_VERSION " with cpu",
        .scene = parts->scene,
        .scene_hash = parts->scene_hash,
        .start = parts->start_hash,
        .codec = parts->target->plan.description,
        .container = parts->png ? "png" : parts->target->plan.container,
        .frames = scene->output.frames,
        .first = parts->target->first,
        .last = parts->target->last,
        .segment = scene->output.segment,
    };
    if (status == STATUS_OK)
        status = open_manifest(parts, resume, overwrite);
    if (status == STATUS_OK)
        status = parts_restore(parts, start);
    return status;
}

static void free_parts(struct parts **parts)
{
    struct parts *self = *parts;
    manifest_close(&self->manifest);
    film_tags_free(&self->tags);
    pthread_mutex_destroy(&self->lock);
    free(self->scene);
    free(self->partial.path);
    free(self->done);
    free(self);
    *parts = NULL;
}

enum status parts_open(struct parts **out, const struct target *target, struct film *film,
                       bool resume, bool overwrite, uint64_t *start)
{
    struct parts *parts = *out = calloc(1, sizeof *parts);
    if (!parts)
        return no_memory();
    pthread_mutex_init(&parts->lock, NULL);
    parts->target = target;
    parts->film = film;
    parts->png = is_png(target);
    enum status status = fill(parts, resume, overwrite, start);
    if (status != STATUS_OK)
        free_parts(out);
    return status;
}

/* ---- the end ---- */

/* Pieces from the first frame on without a gap, and the part of a piece behind them if any. */
static enum status list_segments(struct parts *parts, struct join_segment **out, size_t *count,
                                 uint64_t *frames)
{
    const struct manifest *manifest = parts->manifest;
    struct join_segment *list = calloc(manifest->piece_count + 1, sizeof *list);
    *out = list;
    *count = 0;
    *frames = 0;
    if (!list)
        return no_memory();
    for (size_t p = 0; p < manifest->piece_count; p++) {
        const struct manifest_piece *piece = &manifest->pieces[p];
        if (piece->first != parts->plan.first + *frames)
            break;
        list[(*count)++] = (struct join_segment){
            parts->png ? NULL : manifest_path(manifest, piece->file), piece->count};
        *frames += piece->count;
        if (!parts->png && !list[*count - 1].path)
            return no_memory();
    }
    if (parts->partial.frames > 0 && parts->partial.first == parts->plan.first + *frames) {
        list[(*count)++] = (struct join_segment){parts->png ? NULL : strdup(parts->partial.path),
                                                 parts->partial.frames};
        *frames += parts->partial.frames;
        if (!parts->png && !list[*count - 1].path)
            return no_memory();
    }
    return STATUS_OK;
}

static uint64_t png_bytes(struct parts *parts, uint64_t frames)
{
    uint64_t bytes = 0;
    struct stat found;
    for (uint64_t f = 0; f < frames; f++) {
        char *path = frame_file(parts, parts->plan.first + f);
        if (path && stat(path, &found) == 0)
            bytes += (uint64_t)found.st_size;
        free(path);
    }
    return bytes;
}

static enum status tag_end(struct parts *parts, bool whole)
{
    if (!whole)
        return STATUS_OK;
    enum status status = film_state_hash(parts->film, parts->last_state);
    if (status == STATUS_OK)
        parts->tags.list[parts->tags.count++] =
            (struct sink_tag){FILM_TAG_LAST_STATE, parts->last_state};
    return status;
}

static enum status join(struct parts *parts, bool whole, const volatile sig_atomic_t *stop,
                        struct parts_result *result)
{
    struct join_segment *list;
    size_t count;
    enum status status = list_segments(parts, &list, &count, &result->frames);
    if (status == STATUS_OK && parts->png)
        result->bytes = png_bytes(parts, result->frames);
    if (status == STATUS_OK && !parts->png && count > 0)
        status = tag_end(parts, whole);
    if (status == STATUS_OK && !parts->png && count > 0) {
        const struct sink_params *target = &parts->target->params;
        film_tags_frames(&parts->tags, parts->plan.first, parts->plan.first + result->frames - 1,
                         parts->plan.frames);
        const struct join_params params = {
            .segments = list,
            .count = count,
            .path = target->path,
            .format = parts->target->plan.container,
            .fps_num = target->fps_num,
            .fps_den = target->fps_den,
            .tags = parts->tags.list,
            .tag_count = parts->tags.count,
            .stop = stop,
        };
        status = join_segments(&params, &result->bytes);
    }
    result->film = status == STATUS_OK && result->frames > 0;
    for (size_t i = 0; list && i < count; i++)
        free((char *)list[i].path);
    free(list);
    return status;
}

/* Only the manifest's pieces are what a resume begins with. */
static void drop_partial(struct parts *parts)
{
    if (parts->partial.path && unlink(parts->partial.path) != 0)
        log_debug("'%s' is not removed", parts->partial.path);
}

static enum status end_parts(struct parts *parts, enum parts_end end,
                             const volatile sig_atomic_t *stop, struct parts_result *result)
{
    enum status status = STATUS_OK;
    uint64_t first, count;
    const bool gap = manifest_next_gap(parts->manifest, parts->plan.first, &first, &count);
    if (end == PARTS_DONE && gap)
        return status_fail(STATUS_RUNTIME,
                           "frames %llu to %llu of '%s' are missing although the run has ended; "
                           "run it again with --resume",
                           (unsigned long long)first, (unsigned long long)(first + count - 1),
                           parts->target->params.path);
    if (end != PARTS_FAILED)
        status = join(parts, end == PARTS_DONE, stop, result);
    drop_partial(parts);
    const bool nothing =
        parts->manifest->piece_count == 0 && parts->manifest->checkpoint_count == 0;
    if ((status == STATUS_OK && (end == PARTS_DONE || end == PARTS_FUTILE)) || nothing) {
        enum status removed = manifest_remove(&parts->manifest);
        return status == STATUS_OK ? removed : status;
    }
    result->resumable = true;
    return status;
}

enum status parts_close(struct parts **parts, enum parts_end end, const volatile sig_atomic_t *stop,
                        struct parts_result *result)
{
    *result = (struct parts_result){0};
    if (!*parts)
        return STATUS_OK;
    enum status status = end_parts(*parts, end, stop, result);
    free_parts(parts);
    return status;
}
