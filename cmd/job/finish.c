/* What becomes of the segments when a run ends. */
#include "cmd/job/state.h"

#include "base/file.h"
#include "base/log.h"
#include "render/join/join.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Segments of the film from its first frame on without a gap. */
struct reel {
    struct join_segment *list;
    size_t count;
    uint64_t frames;
};

/* Takes `path`, of a file with the next `frames`. Pictures of a sequence are files of their own. */
static enum status add_to_reel(const struct job *job, struct reel *reel, char *path,
                               uint64_t frames)
{
    if (!job->png && !path)
        return job_no_memory();
    reel->list[reel->count++] = (struct join_segment){path, frames};
    reel->frames += frames;
    return STATUS_OK;
}

static bool is_next(const struct job *job, const struct reel *reel, uint64_t first)
{
    return first == job->plan.first + reel->frames;
}

/* The whole segments, and the part of a segment behind them if any. */
static enum status list_segments(const struct job *job, struct reel *reel)
{
    const struct manifest *manifest = job->manifest;
    *reel = (struct reel){.list = calloc(manifest->segment_count + 1, sizeof *reel->list)};
    enum status status = reel->list ? STATUS_OK : job_no_memory();
    for (size_t p = 0; p < manifest->segment_count && status == STATUS_OK; p++) {
        const struct manifest_segment *segment = &manifest->segments[p];
        if (!is_next(job, reel, segment->first))
            break;
        status = add_to_reel(job, reel, job->png ? NULL : manifest_path(manifest, segment->file),
                             segment->count);
    }
    if (status == STATUS_OK && job->partial.frames > 0 && is_next(job, reel, job->partial.first))
        status = add_to_reel(job, reel, job->png ? NULL : strdup(job->partial.path),
                             job->partial.frames);
    return status;
}

static void free_reel(struct reel *reel)
{
    for (size_t i = 0; i < reel->count; i++)
        free((char *)reel->list[i].path);
    free(reel->list);
}

static uint64_t png_bytes(struct job *job, uint64_t frames)
{
    uint64_t bytes = 0;
    struct stat found;
    for (uint64_t f = 0; f < frames; f++) {
        char *path = job_frame_file(job, job->plan.first + f);
        if (path && stat(path, &found) == 0)
            bytes += (uint64_t)found.st_size;
        free(path);
    }
    return bytes;
}

static enum status tag_end(struct job *job, bool whole)
{
    if (!whole)
        return STATUS_OK;
    enum status status = film_state_hash(job->film, job->last_state);
    if (status == STATUS_OK)
        job->tags.list[job->tags.count++] = (struct tag){FILM_TAG_LAST_STATE, job->last_state};
    return status;
}

/* The film needs as much room again as its segments, which are kept until it is whole. */
static enum status check_room(const struct job *job, const struct reel *reel)
{
    uint64_t bytes = 0;
    struct stat found;
    struct statvfs disk;
    char *folder = file_folder(job->target->params.path);
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
                       job->target->params.path, (double)bytes / 1e6, (double)room / 1e6);
}

static enum status join_film(struct job *job, const struct reel *reel, bool whole,
                             const volatile sig_atomic_t *stop, uint64_t *bytes)
{
    enum status status = check_room(job, reel);
    if (status == STATUS_OK && reel->count > 0)
        status = tag_end(job, whole);
    if (status != STATUS_OK || reel->count == 0)
        return status;
    const struct sink_params *target = &job->target->params;
    film_tags_frames(&job->tags, job->plan.first, job->plan.first + reel->frames - 1,
                     job->plan.frames);
    const struct join_params params = {
        .segments = reel->list,
        .count = reel->count,
        .path = target->path,
        .format = job->target->plan.container,
        .fps_num = target->fps_num,
        .fps_den = target->fps_den,
        .tags = {job->tags.list, job->tags.count},
        .stop = stop,
    };
    return join_segments(&params, bytes);
}

static enum status join(struct job *job, bool whole, const volatile sig_atomic_t *stop,
                        struct job_result *result)
{
    struct reel reel;
    enum status status = list_segments(job, &reel);
    result->frames = reel.frames;
    if (status == STATUS_OK && job->png)
        result->bytes = png_bytes(job, reel.frames);
    else if (status == STATUS_OK)
        status = join_film(job, &reel, whole, stop, &result->bytes);
    result->film = status == STATUS_OK && result->frames > 0;
    free_reel(&reel);
    return status;
}

/* Before the folder goes: a sequence is known to be finished by the scene beside it. */
static enum status save_scene(const struct job *job)
{
    const char *path = job->target->scene_path;
    return path ? file_write(path, job->scene, strlen(job->scene)) : STATUS_OK;
}

/* Only the manifest's segments are what a resume begins with. */
static void drop_partial(struct job *job)
{
    if (job->partial.path && unlink(job->partial.path) != 0)
        log_debug("'%s' is not removed", job->partial.path);
}

static enum status end_job(struct job *job, enum job_end end, const volatile sig_atomic_t *stop,
                           struct job_result *result)
{
    enum status status = STATUS_OK;
    uint64_t first, count;
    const bool gap = manifest_next_gap(job->manifest, job->plan.first, &first, &count);
    if (end == JOB_DONE && gap)
        return status_fail(STATUS_RUNTIME,
                           "frames %llu to %llu of '%s' are missing although the run has ended; "
                           "run it again with --resume",
                           (unsigned long long)first, (unsigned long long)(first + count - 1),
                           job->target->params.path);
    if (end != JOB_FAILED)
        status = join(job, end == JOB_DONE, stop, result);
    if (status == STATUS_OK && result->film)
        status = save_scene(job);
    drop_partial(job);
    /* A film so far without its folder could not be resumed: it would be in the way. */
    const bool nothing = job->manifest->segment_count == 0 &&
                         job->manifest->checkpoint_count == 0 && result->frames == 0;
    if ((status == STATUS_OK && (end == JOB_DONE || end == JOB_FUTILE)) || nothing) {
        enum status removed = manifest_remove(&job->manifest);
        return status == STATUS_OK ? removed : status;
    }
    result->resumable = work_folder_used(job->target);
    return status;
}

enum status job_close(struct job **job, enum job_end end, const volatile sig_atomic_t *stop,
                      struct job_result *result)
{
    *result = (struct job_result){0};
    if (!*job)
        return STATUS_OK;
    enum status status = end_job(*job, end, stop, result);
    job_free(job);
    return status;
}
