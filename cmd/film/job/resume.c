#include "cmd/film/job/resume.h"

#include "base/file.h"
#include "base/log.h"
#include "cmd/film/job/checkpoints.h"
#include "cmd/film/job/folder.h"
#include "cmd/film/job/segments.h"
#include "cmd/film/manifest/entries.h"
#include "cmd/film/manifest/manifest.h"

/* A film of this scene left by a stopped run may be replaced; any other only with -y. */
static enum status check_film(const struct job *job, bool overwrite)
{
    const char *path = job->target->params.path;
    uint64_t frames;
    if (overwrite || job->sequence || !file_exists(path) ||
        target_holds_film(job->target, job->film->scene, &frames))
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' exists already and was not left there by the run to be resumed; "
                       "replace it with -y or move it away",
                       path);
}

static enum status open_manifest(struct job *job, bool resume, bool overwrite)
{
    const char *folder = job->target->work_folder;
    enum status status;
    job->resumed = resume && work_folder_used(folder);
    if (job->resumed) {
        status = manifest_open(&job->manifest, folder, &job->plan);
        if (status == STATUS_OK)
            status = check_film(job, overwrite);
    } else {
        if (resume)
            log_info("there is no '%s' to resume: the film starts at its first frame", folder);
        status = manifest_create(&job->manifest, folder, &job->plan);
        if (status == STATUS_OK)
            status = stale_remove(&job->target->stale);
    }
    if (status != STATUS_OK)
        return status;
    job->manifest->frame_file = job_frame_file;
    job->manifest->user = job;
    return job->resumed ? manifest_verify(job->manifest, NULL) : STATUS_OK;
}

static uint64_t count_done(struct job *job)
{
    uint64_t frames = 0;
    for (uint64_t f = job->plan.first; f <= job->plan.last; f++)
        frames += !segments_want(job, f);
    return frames;
}

/* The last frame if only joining is left, because the last state is a tag. */
static uint64_t first_wanted(struct job *job)
{
    uint64_t frame = job->plan.first;
    while (frame < job->plan.last && !segments_want(job, frame))
        frame++;
    return frame;
}

enum status job_resume(struct job *job, bool resume, bool overwrite)
{
    uint64_t gap;
    enum status status = open_manifest(job, resume, overwrite);
    if (status != STATUS_OK)
        return status;
    segments_note(job);
    if (!job->resumed)
        return STATUS_OK;
    gap = first_wanted(job);
    status = checkpoints_continue(job, gap);
    if (status == STATUS_OK)
        log_info("%llu of %llu frames are done; the simulation continues from frame %llu",
                 (unsigned long long)count_done(job),
                 (unsigned long long)(job->plan.last - job->plan.first + 1),
                 (unsigned long long)job->start);
    return status;
}
