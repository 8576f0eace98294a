/* The segments themselves: opened, closed and put into the manifest by the encoders' threads. */
#include "cmd/job/state.h"

#include "cmd/manifest/lock.h"
#include "base/machine.h"
#include "render/sinks.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static uint64_t first_of(const struct job *job, uint64_t segment)
{
    const uint64_t first = segment * job->plan.segment_length;
    return first > job->plan.first ? first : job->plan.first;
}

/* Sinks make missing folders, which would hide that what was made so far is gone. */
static enum status check_folder(const struct job *job)
{
    if (folder_is_held(job->manifest->folder, job->manifest->lock))
        return STATUS_OK;
    return status_fail(STATUS_IO,
                       "'%s' has vanished with the segments of the film that were in it; bring it "
                       "back, or begin again",
                       job->target->work_folder);
}

static enum status open_segment(void *user, uint64_t segment, struct sink **sink)
{
    struct job *job = user;
    struct sink_params params = job->target->params;
    char name[MANIFEST_NAME_MAX];
    char *path = NULL;
    *sink = NULL;
    enum status status = check_folder(job);
    if (status != STATUS_OK)
        return status;
    if (job->png) {
        params.first_frame = first_of(job, segment);
        params.tags = (struct tags){job->tags.list, job->tags.count};
        if (params.threads < machine_processors())
            params.threads = machine_processors();
    } else {
        manifest_segment_name(name, segment, job->target->plan.container);
        path = manifest_path(job->manifest, name);
        if (!path)
            return status_fail(STATUS_RUNTIME, "no memory left for a segment of the film");
        params.path = path;
        params.format = job->target->plan.container;
    }
    status = sink_open(&params, sink);
    free(path);
    if (status == STATUS_OK && (status = check_folder(job)) != STATUS_OK)
        (void)(*sink)->ops->close(sink, false, NULL, NULL); /* it was made anew just now */
    return status;
}

/* An encoder's memory, freed in segments, would stay while the next one takes as much again. */
static void give_memory_back(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static enum status note_partial(struct job *job, uint64_t segment, uint64_t frames)
{
    char name[MANIFEST_NAME_MAX];
    manifest_segment_name(name, segment, job->target->plan.container);
    char *path = job->png ? NULL : manifest_path(job->manifest, name);
    if (!job->png && !path)
        return status_fail(STATUS_RUNTIME, "no memory left for a segment of the film");
    free(job->partial.path);
    job->partial.first = first_of(job, segment);
    job->partial.frames = frames;
    job->partial.path = path;
    return STATUS_OK;
}

static enum status close_segment(void *user, uint64_t segment, struct sink **sink, uint64_t frames,
                                 bool whole, bool broken)
{
    struct job *job = user;
    char name[MANIFEST_NAME_MAX] = "";
    enum status status = (*sink)->ops->close(sink, frames > 0 && !broken, NULL, NULL);
    give_memory_back();
    if (status != STATUS_OK || broken || frames == 0)
        return status;
    if (!job->png)
        manifest_segment_name(name, segment, job->target->plan.container);
    pthread_mutex_lock(&job->lock);
    if (whole)
        status = manifest_add_segment(job->manifest, segment, first_of(job, segment), frames, name);
    else
        status = note_partial(job, segment, frames);
    pthread_mutex_unlock(&job->lock);
    return status;
}

const struct segment_ops job_segments = {open_segment, close_segment};
