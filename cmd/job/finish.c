/* What becomes of the parts when a run ends. */
#include "cmd/job/state.h"

#include "base/file.h"
#include "base/log.h"
#include "render/join/join.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Pieces of the film from its first frame on without a gap. */
struct reel {
    struct join_segment *list;
    size_t count;
    uint64_t frames;
};

/* Takes `path`, of a file with the next `frames`. Pictures of a sequence are files of their own. */
static enum status add_segment(const struct parts *parts, struct reel *reel, char *path,
                               uint64_t frames)
{
    if (!parts->png && !path)
        return parts_no_memory();
    reel->list[reel->count++] = (struct join_segment){path, frames};
    reel->frames += frames;
    return STATUS_OK;
}

static bool is_next(const struct parts *parts, const struct reel *reel, uint64_t first)
{
    return first == parts->plan.first + reel->frames;
}

/* The whole pieces, and the part of a piece behind them if any. */
static enum status list_segments(const struct parts *parts, struct reel *reel)
{
    const struct manifest *manifest = parts->manifest;
    *reel = (struct reel){.list = calloc(manifest->piece_count + 1, sizeof *reel->list)};
    enum status status = reel->list ? STATUS_OK : parts_no_memory();
    for (size_t p = 0; p < manifest->piece_count && status == STATUS_OK; p++) {
        const struct manifest_piece *piece = &manifest->pieces[p];
        if (!is_next(parts, reel, piece->first))
            break;
        status = add_segment(parts, reel, parts->png ? NULL : manifest_path(manifest, piece->file),
                             piece->count);
    }
    if (status == STATUS_OK && parts->partial.frames > 0 &&
        is_next(parts, reel, parts->partial.first))
        status = add_segment(parts, reel, parts->png ? NULL : strdup(parts->partial.path),
                             parts->partial.frames);
    return status;
}

static void free_reel(struct reel *reel)
{
    for (size_t i = 0; i < reel->count; i++)
        free((char *)reel->list[i].path);
    free(reel->list);
}

static uint64_t png_bytes(struct parts *parts, uint64_t frames)
{
    uint64_t bytes = 0;
    struct stat found;
    for (uint64_t f = 0; f < frames; f++) {
        char *path = parts_frame_file(parts, parts->plan.first + f);
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

/* The film needs as much room again as its parts, which are kept until it is whole. */
static enum status check_room(const struct parts *parts, const struct reel *reel)
{
    uint64_t bytes = 0;
    struct stat found;
    struct statvfs disk;
    char *folder = file_folder(parts->target->params.path);
    for (size_t i = 0; i < reel->count; i++)
        if (stat(reel->list[i].path, &found) == 0)
            bytes += (uint64_t)found.st_size;
    const bool known = folder && statvfs(folder, &disk) == 0 && disk.f_blocks > 0;
    free(folder);
    const uint64_t room = known ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX;
    if (room >= bytes)
        return STATUS_OK;
    return status_fail(STATUS_IO,
                       "joining '%s' needs %.1f MB more on its disk, and %.1f MB are free; free "
                       "some space",
                       parts->target->params.path, (double)bytes / 1e6, (double)room / 1e6);
}

static enum status join_film(struct parts *parts, const struct reel *reel, bool whole,
                             const volatile sig_atomic_t *stop, uint64_t *bytes)
{
    enum status status = check_room(parts, reel);
    if (status == STATUS_OK && reel->count > 0)
        status = tag_end(parts, whole);
    if (status != STATUS_OK || reel->count == 0)
        return status;
    const struct sink_params *target = &parts->target->params;
    film_tags_frames(&parts->tags, parts->plan.first, parts->plan.first + reel->frames - 1,
                     parts->plan.frames);
    const struct join_params params = {
        .segments = reel->list,
        .count = reel->count,
        .path = target->path,
        .format = parts->target->plan.container,
        .fps_num = target->fps_num,
        .fps_den = target->fps_den,
        .tags = parts->tags.list,
        .tag_count = parts->tags.count,
        .stop = stop,
    };
    return join_segments(&params, bytes);
}

static enum status join(struct parts *parts, bool whole, const volatile sig_atomic_t *stop,
                        struct parts_result *result)
{
    struct reel reel;
    enum status status = list_segments(parts, &reel);
    result->frames = reel.frames;
    if (status == STATUS_OK && parts->png)
        result->bytes = png_bytes(parts, reel.frames);
    else if (status == STATUS_OK)
        status = join_film(parts, &reel, whole, stop, &result->bytes);
    result->film = status == STATUS_OK && result->frames > 0;
    free_reel(&reel);
    return status;
}

/* Before the folder goes: a sequence is known to be finished by the scene beside it. */
static enum status save_scene(const struct parts *parts)
{
    const char *path = parts->target->scene_path;
    return path ? file_write(path, parts->scene, strlen(parts->scene)) : STATUS_OK;
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
    if (status == STATUS_OK && result->film)
        status = save_scene(parts);
    drop_partial(parts);
    /* A film so far without its folder could not be resumed: it would be in the way. */
    const bool nothing = parts->manifest->piece_count == 0 &&
                         parts->manifest->checkpoint_count == 0 && result->frames == 0;
    if ((status == STATUS_OK && (end == PARTS_DONE || end == PARTS_FUTILE)) || nothing) {
        enum status removed = manifest_remove(&parts->manifest);
        return status == STATUS_OK ? removed : status;
    }
    result->resumable = parts_there(parts->target);
    return status;
}

enum status parts_close(struct parts **parts, enum parts_end end, const volatile sig_atomic_t *stop,
                        struct parts_result *result)
{
    *result = (struct parts_result){0};
    if (!*parts)
        return STATUS_OK;
    enum status status = end_parts(*parts, end, stop, result);
    parts_free(parts);
    return status;
}
