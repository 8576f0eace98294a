#include "cmd/job/segments.h"

#include "base/machine.h"
#include "base/memory.h"
#include "cmd/manifest/entries.h"
#include "cmd/manifest/lock.h"
#include "cmd/manifest/manifest.h"
#include "render/sinks.h"
#include "render/video/container.h"

#include <malloc.h>
#include <stdlib.h>

void segments_note(struct job *job)
{
    const uint64_t length = job->plan.segment_length;
    const size_t count = job_segment_place(job, job->plan.last / length) + 1;
    job->done = memory_new(count, sizeof *job->done);
    for (size_t s = 0; s < job->manifest->segment_count; s++) {
        const struct manifest_segment *segment = &job->manifest->segments[s];
        const uint64_t index = segment->first / length;
        const size_t place = job_segment_place(job, index);
        if (place < count)
            job->done[place] = segment->first + segment->count == job_segment_end(job, index);
    }
}

bool segments_want(void *user, uint64_t frame)
{
    const struct job *job = user;
    return !job->done[job_segment_place(job, frame / job->plan.segment_length)];
}

/* Sinks make missing folders, which would hide that the segments made so far are gone. */
static enum status check_folder(const struct job *job)
{
    if (folder_is_held(job->manifest->folder, job->manifest->lock))
        return STATUS_OK;
    return status_fail(STATUS_IO,
                       "'%s' has vanished with the segments of the film in it; bring it back, or "
                       "start over",
                       job->manifest->folder);
}

static void name_segment(const struct job *job, uint64_t index, char name[MANIFEST_NAME_MAX])
{
    manifest_segment_name(name, index, job->target->plan.container->name);
}

static enum status open_segment(void *user, uint64_t index, struct sink **sink)
{
    struct job *job = user;
    struct sink_params params = job->target->params;
    char name[MANIFEST_NAME_MAX];
    char *path = NULL;
    *sink = NULL;
    enum status status = check_folder(job);
    if (status != STATUS_OK)
        return status;
    if (job->sequence) {
        params.first_frame = job_segment_first(job, index);
        params.tags = job->tags;
        if (params.threads < machine_processors())
            params.threads = machine_processors();
    } else {
        name_segment(job, index, name);
        path = manifest_path(job->manifest, name);
        params.path = path;
        params.format = job->target->plan.container->name;
    }
    status = sink_open(&params, sink);
    free(path);
    if (status == STATUS_OK && (status = check_folder(job)) != STATUS_OK)
        (void)(*sink)->ops->close(sink, false, NULL, NULL); /* its folder is a new one */
    return status;
}

/* The memory that an encoder frees would otherwise stay while the next one takes as much again. */
static void give_memory_back(void)
{
#ifdef __GLIBC__
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

/* Hashing reads the whole segment: other threads must not wait for it. */
static enum status close_segment(void *user, uint64_t index, struct sink **sink, uint64_t frames,
                                 bool whole, bool broken)
{
    struct job *job = user;
    struct manifest_segment segment = {
        .index = index, .first = job_segment_first(job, index), .count = frames};
    enum status status = (*sink)->ops->close(sink, frames > 0 && !broken, NULL, NULL);
    give_memory_back();
    if (status != STATUS_OK || broken || frames == 0)
        return status;
    if (!job->sequence)
        name_segment(job, index, segment.file);
    if (whole)
        status = manifest_hash_segment(job->manifest, &segment);
    pthread_mutex_lock(&job->lock);
    if (!whole)
        note_partial(job, &segment);
    else if (status == STATUS_OK)
        status = manifest_add_segment(job->manifest, &segment);
    pthread_mutex_unlock(&job->lock);
    return status;
}

const struct segment_ops segments_write = {open_segment, close_segment};
