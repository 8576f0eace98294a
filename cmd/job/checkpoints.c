/* A folder of checkpoints that several runs of a scene share: each begins at the latest one before
 * its first frame, and leaves one at each segment for the others. */
#include "cmd/job/state.h"

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "sim/views.h"
#include "sim/checkpoint/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *shared_path(const struct job *job, uint64_t frame)
{
    char name[MANIFEST_NAME_MAX];
    manifest_checkpoint_name(name, frame);
    return text_format("%s/%s", job->shared, name);
}

/* Runs on several machines may leave the same one at the same time, each under a name of its own.
 */
static enum status leave(const struct job *job, const char *path)
{
    char host[128] = "";
    (void)gethostname(host, sizeof host - 1);
    char *own = text_format("%s.%s-%ld", path, host, (long)getpid());
    if (!own)
        return status_fail(STATUS_RUNTIME, "no memory left for a checkpoint");
    enum status status = checkpoint_write(
        own, job->film->simulations, (size_t)job->film->simulation_count, job->scene_hash, NULL);
    if (status == STATUS_OK && rename(own, path) != 0) {
        status = status_fail(STATUS_IO, "cannot write '%s': %s", path, strerror(errno));
        (void)unlink(own);
    }
    free(own);
    return status;
}

enum status job_leave_checkpoint(struct job *job, uint64_t frame)
{
    if (!job->shared || frame == 0)
        return STATUS_OK;
    char *path = shared_path(job, frame);
    if (!path)
        return status_fail(STATUS_RUNTIME, "no memory left for a checkpoint");
    enum status status = file_exists(path) ? STATUS_OK : leave(job, path);
    free(path);
    return status;
}

/* The latest frame before `end` of which there is a file; 0: there is none. */
static uint64_t latest_before(const struct job *job, uint64_t end)
{
    uint64_t latest = 0;
    DIR *entries = opendir(job->shared);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        uint64_t frame;
        char name[MANIFEST_NAME_MAX];
        if (sscanf(entry->d_name, "checkpoint-%" SCNu64 ".h5", &frame) != 1)
            continue;
        manifest_checkpoint_name(name, frame);
        if (strcmp(name, entry->d_name) == 0 && frame < end && frame > latest)
            latest = frame;
    }
    if (entries)
        closedir(entries);
    return latest;
}

/* The exposure is that of frame 0, at which the film stands. */
static enum status meter(struct job *job)
{
    struct film *film = job->film;
    struct view *view = NULL;
    enum status status = renderer_bind(film->renderer);
    if (status != STATUS_OK)
        return status;
    status = views_create(film->simulations, film->simulation_count, &view);
    if (status == STATUS_OK)
        status = views_fill(film->simulations, view);
    if (status == STATUS_OK)
        status = renderer_meter(film->renderer, view);
    views_destroy(film->simulations, &view);
    renderer_unbind(film->renderer);
    job->metered = status == STATUS_OK;
    return status;
}

enum status job_share(struct job *job, const char *folder, uint64_t *start)
{
    enum status status = file_make_folder(folder);
    if (status != STATUS_OK)
        return status;
    job->shared = folder;
    uint64_t frame = *start == 0 ? latest_before(job, job->plan.first + 1) : 0;
    if (frame == 0)
        return STATUS_OK;
    if (renderer_meters_every_frame(job->film->renderer)) {
        log_info("look.exposure adapts to every frame, so the film is seen from its first one on, "
                 "and the checkpoints in '%s' are not used",
                 folder);
        return STATUS_OK;
    }
    if (!job->metered)
        status = meter(job);
    for (bool done = false; status == STATUS_OK && !done && frame > 0;) {
        status = job_go_to(job, shared_path(job, frame), &done);
        if (status == STATUS_OK && done)
            *start = frame;
        else
            frame = latest_before(job, frame);
    }
    if (status == STATUS_OK && *start > 0)
        log_info("the simulation begins at frame %" PRIu64 ", from '%s'", *start, folder);
    return status;
}
