#include "cmd/film/job/segments.h"

#include "base/machine.h"
#include "base/memory.h"
#include "cmd/film/job/unfinished.h"
#include "cmd/film/manifest/entries.h"
#include "cmd/film/manifest/lock.h"
#include "cmd/film/manifest/manifest.h"
#include "render/sinks.h"
#include "render/video/container.h"

#include <malloc.h>
#include <stdlib.h>

static void note(struct job *job, uint64_t first, uint64_t count)
{
    for (uint64_t f = first; f < first + count; f++)
        if (f >= job->plan.first && f <= job->plan.last)
            job->done[f - job->plan.first] = true;
}

void segments_note(struct job *job)
{
    const struct manifest *manifest = job->manifest;
    const uint64_t length = job->plan.segment_length;
    job->done = memory_new((size_t)(job->plan.last - job->plan.first + 1), sizeof *job->done);
    for (size_t s = 0; s < manifest->segment_count; s++)
        note(job, manifest->segments[s].first, manifest->segments[s].count);
    for (size_t p = 0; p < manifest->picture_count; p++) {
        const uint64_t index = manifest->pictures[p].first / length;
        note(job, job_segment_first(job, index), unfinished_frames(job, index));
    }
}

bool segments_want(void *user, uint64_t frame)
{
    const struct job *job = user;
    return !job->done[frame - job->plan.first];
}

/* Sinks create missing folders, which would hide that the earlier segments are gone. */
static enum status check_folder(const struct job *job)
{
    if (folder_is_held(job->manifest->folder, job->manifest->lock))
        return STATUS_OK;
    return status_fail(
        STATUS_IO,
        "'%s' no longer exists, and the film's segments were in it; restore it, or start over",
        job->manifest->folder);
}

static void name_segment(const struct job *job, uint64_t index, char name[MANIFEST_NAME_MAX])
{
    manifest_segment_name(name, index, job->target->plan.container->name);
}

static enum status give_up(struct sink **sink, enum status status)
{
    struct failure failure = {0};
    failure_keep(&failure, status);
    (void)(*sink)->ops->close(sink, false, NULL, NULL);
    return failure_report(&failure);
}

static enum status open_segment(void *user, uint64_t index, uint64_t *frames, struct sink **sink)
{
    struct job *job = user;
    struct sink_params params = job->target->params;
    char name[MANIFEST_NAME_MAX];
    char *path = NULL;
    *sink = NULL;
    enum status status = check_folder(job);
    if (status != STATUS_OK)
        return status;
    *frames = unfinished_frames(job, index);
    if (job->sequence) {
        params.first_frame = job_segment_first(job, index) + *frames;
        params.tags = job->tags;
        if (params.threads < machine_processors())
            params.threads = machine_processors();
    } else {
        name_segment(job, index, name);
        path = manifest_path_to_write(job->manifest, name);
        params.path = path;
        params.format = job->target->plan.container->name;
    }
    status = sink_open(&params, sink);
    free(path);
    if (status != STATUS_OK)
        return status;
    status = check_folder(job); /* rather than a new folder made by the sink */
    if (status == STATUS_OK && !job->sequence)
        status = unfinished_replay(job, index, *sink);
    return status == STATUS_OK ? status : give_up(sink, status);
}

/* Otherwise memory freed by an encoder would stay while the next encoder allocates as much
 * again. Under AddressSanitizer glibc's own heap is unused, and crashes when two threads trim it
 * for the first time at once. */
static void give_memory_back(void)
{
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
    malloc_trim(0);
#endif
}

static void note_partial(struct job *job, const struct manifest_segment *segment)
{
    free(job->partial.path);
    job->partial.first = segment->first;
    job->partial.frames = segment->count;
    job->partial.path = job->sequence ? NULL : manifest_path(job->manifest, segment->file);
}

/* Hashing reads the whole segment, so it runs without the lock. */
static enum status close_segment(void *user, uint64_t index, struct sink **sink, uint64_t frames,
                                 bool whole, bool broken)
{
    struct job *job = user;
    struct manifest_segment segment = {
        .index = index, .first = job_segment_first(job, index), .count = frames};
    const uint64_t before = unfinished_frames(job, index);
    enum status status = (*sink)->ops->close(sink, frames > 0 && !broken, NULL, NULL);
    give_memory_back();
    if (status != STATUS_OK || broken || frames == 0)
        return status;
    if (!job->sequence)
        name_segment(job, index, segment.file);
    if (whole)
        status = manifest_hash_segment(job->manifest, &segment);
    else if (job->sequence)
        status = unfinished_name(job, index, segment.first + before, frames - before);
    pthread_mutex_lock(&job->lock);
    if (!whole)
        note_partial(job, &segment);
    else if (status == STATUS_OK)
        status = manifest_add_segment(job->manifest, &segment);
    pthread_mutex_unlock(&job->lock);
    return status;
}

const struct segment_ops segments_write_films = {open_segment, unfinished_keep, close_segment};
const struct segment_ops segments_write_sequence = {.open = open_segment, .close = close_segment};
