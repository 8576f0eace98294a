#include "cmd/job/job.h"

#include "cmd/job/state.h"

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/manifest/lock.h"

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

static bool parts_suit(const struct target *target)
{
    return is_plain(target->params.path) && (is_png(target) || target->plan.container);
}

enum status parts_no_memory(void)
{
    return status_fail(STATUS_RUNTIME, "no memory left for the parts of the film");
}

/* Ranges of a PNG sequence may be rendered into one folder at the same time. */
enum status parts_folder(const struct target *target, uint64_t frames, char **folder)
{
    *folder = NULL;
    if (!parts_suit(target))
        return STATUS_OK;
    const bool whole = target->first == 0 && target->last == frames - 1;
    *folder = is_png(target) && !whole
                  ? text_format("%s.%llu-%llu.parts", target->params.path,
                                (unsigned long long)target->first, (unsigned long long)target->last)
                  : text_format("%s.parts", target->params.path);
    return *folder ? STATUS_OK : parts_no_memory();
}

bool parts_there(const struct target *target)
{
    return target->parts_path && manifest_exists(target->parts_path);
}

enum status parts_sweep(const struct target *target)
{
    int lock = -1;
    const char *folder = target->parts_path;
    if (!folder || !file_exists(folder))
        return STATUS_OK;
    enum status status = folder_lock(folder, false, &lock);
    if (status == STATUS_OK)
        status = folder_clear(folder, true);
    if (lock >= 0)
        close(lock);
    return status;
}

enum status parts_check(const struct target *target, bool resume, bool overwrite)
{
    const char *folder = target->parts_path;
    int lock = -1;
    if (resume && !folder)
        return status_fail(STATUS_USAGE,
                           "--resume wants a film in a file or a PNG sequence, and '%s' is neither",
                           target->params.path);
    if (!parts_there(target))
        return STATUS_OK;
    enum status status = folder_lock(folder, false, &lock);
    if (lock >= 0)
        close(lock);
    if (status == STATUS_USAGE || resume || overwrite)
        return status == STATUS_USAGE ? status : STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "a run of '%s' was cut short, and '%s' has what it made; go on with "
                       "--resume, or begin anew with -y",
                       target->params.path, folder);
}

char *parts_frame_file(void *user, uint64_t frame)
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

bool parts_resumed(const struct parts *parts)
{
    return parts->resumed;
}

bool parts_metered(const struct parts *parts)
{
    return parts->metered;
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
    const char *folder = parts->target->parts_path;
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
    if (status != STATUS_OK)
        return status;
    parts->manifest->frame_file = parts_frame_file;
    parts->manifest->user = parts;
    return parts->resumed ? manifest_verify(parts->manifest, NULL) : STATUS_OK;
}

static enum status fill(struct parts *parts, bool resume, bool overwrite, uint64_t *start)
{
    const struct scene *scene = parts->film->scene;
    parts->scene = scene_print(scene);
    if (!parts->scene)
        return parts_no_memory();
    scene_hash(scene, parts->scene_hash);
    enum status status = film_state_hash(parts->film, parts->start_hash);
    if (status == STATUS_OK)
        status = film_tags_make(&parts->tags, parts->film, &parts->target->plan);
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

void parts_free(struct parts **parts)
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
        return parts_no_memory();
    pthread_mutex_init(&parts->lock, NULL);
    parts->target = target;
    parts->film = film;
    parts->png = is_png(target);
    enum status status = fill(parts, resume, overwrite, start);
    if (status != STATUS_OK)
        parts_free(out);
    return status;
}
