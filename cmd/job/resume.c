/* What a run in segments goes on from, and what it leaves behind for that. */
#include "cmd/job/state.h"

#include "base/log.h"
#include "sim/checkpoint/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>

size_t job_place(const struct job *job, uint64_t index)
{
    return (size_t)(index - job->plan.first / job->plan.segment_length);
}

bool job_wants(void *user, uint64_t frame)
{
    const struct job *job = user;
    return !job->done[job_place(job, frame / job->plan.segment_length)];
}

static uint64_t segment_end(const struct job *job, uint64_t index)
{
    const uint64_t end = (index + 1) * job->plan.segment_length;
    return end < job->plan.last + 1 ? end : job->plan.last + 1;
}

static enum status note_done(struct job *job)
{
    const size_t count = job_place(job, job->plan.last / job->plan.segment_length) + 1;
    job->done = calloc(count, sizeof *job->done);
    if (!job->done)
        return status_fail(STATUS_RUNTIME, "no memory left for the segments of the film");
    for (size_t p = 0; p < job->manifest->segment_count; p++) {
        const struct manifest_segment *segment = &job->manifest->segments[p];
        const size_t place = job_place(job, segment->first / job->plan.segment_length);
        if (place < count)
            job->done[place] = segment->first + segment->count ==
                               segment_end(job, segment->first / job->plan.segment_length);
    }
    return STATUS_OK;
}

static uint64_t frames_there(const struct job *job)
{
    uint64_t frames = 0;
    for (uint64_t f = job->plan.first; f <= job->plan.last; f++)
        frames += !job_wants((void *)job, f);
    return frames;
}

/* ---- the renderer's state ---- */

/* An exposure that adapts has one at the first frame of each segment, any other one for all. */
static void state_name(const struct job *job, uint64_t frame, int i, char name[MANIFEST_NAME_MAX])
{
    if (renderer_meters_every_frame(job->film->renderer))
        snprintf(name, MANIFEST_NAME_MAX, "renderer %d at frame %llu", i,
                 (unsigned long long)frame);
    else
        snprintf(name, MANIFEST_NAME_MAX, "renderer %d", i);
}

static bool find_state(const struct job *job, uint64_t frame, double state[RENDERER_STATE])
{
    bool found = true;
    for (int i = 0; i < RENDERER_STATE && found; i++) {
        char name[MANIFEST_NAME_MAX];
        state_name(job, frame, i, name);
        found = manifest_get_value(job->manifest, name, &state[i]);
    }
    return found;
}

enum status job_drawing(void *user, uint64_t frame)
{
    struct job *job = user;
    double state[RENDERER_STATE];
    struct manifest_value values[RENDERER_STATE];
    pthread_mutex_lock(&job->lock);
    enum status status = STATUS_OK;
    if (!find_state(job, frame, state)) {
        renderer_state(job->film->renderer, state);
        for (int i = 0; i < RENDERER_STATE; i++) {
            state_name(job, frame, i, values[i].name);
            values[i].value = state[i];
        }
        status = manifest_set_values(job->manifest, values, RENDERER_STATE);
    }
    pthread_mutex_unlock(&job->lock);
    return status;
}

/* ---- checkpoints ---- */

static bool has_checkpoint(const struct job *job, uint64_t frame)
{
    const struct manifest_checkpoint *there = manifest_checkpoint_before(job->manifest, frame);
    return there && there->frame == frame;
}

/* Frame 0 is made from the scene as quickly. */
enum status job_simulated(void *user, uint64_t frame)
{
    struct job *job = user;
    char name[MANIFEST_NAME_MAX];
    enum status status = job_leave_checkpoint(job, frame);
    if (status != STATUS_OK)
        return status;
    pthread_mutex_lock(&job->lock);
    const bool there = frame == 0 || has_checkpoint(job, frame);
    pthread_mutex_unlock(&job->lock);
    if (there)
        return STATUS_OK;
    manifest_checkpoint_name(name, frame);
    char *path = manifest_path(job->manifest, name);
    if (!path)
        return status_fail(STATUS_RUNTIME, "no memory left for a checkpoint");
    status = checkpoint_write(path, job->film->simulations, (size_t)job->film->simulation_count,
                              job->scene_hash, NULL);
    free(path);
    if (status != STATUS_OK)
        return status;
    pthread_mutex_lock(&job->lock);
    status = manifest_add_checkpoint(job->manifest, frame, name);
    if (status == STATUS_OK)
        status = manifest_drop_checkpoints(job->manifest);
    pthread_mutex_unlock(&job->lock);
    return status;
}

enum status job_go_to(struct job *job, char *path, bool *done)
{
    *done = false;
    if (!path)
        return job_no_memory();
    enum status status = checkpoint_read(
        path, job->film->simulations, (size_t)job->film->simulation_count, job->scene_hash, NULL);
    free(path);
    *done = status == STATUS_OK;
    if (status != STATUS_IO)
        return status;
    log_warning("%s; the run goes on from an earlier one", status_text());
    return STATUS_OK;
}

/* Whether the film stands at the checkpoint now. */
static enum status try_checkpoint(struct job *job, const struct manifest_checkpoint *there,
                                  bool *done)
{
    double state[RENDERER_STATE];
    *done = false;
    if (!find_state(job, there->frame, state))
        return STATUS_OK;
    enum status status = job_go_to(job, manifest_path(job->manifest, there->file), done);
    if (status == STATUS_OK && *done) {
        renderer_resume(job->film->renderer, state);
        job->metered = true;
    }
    return status;
}

enum status job_restore(struct job *job, uint64_t *start)
{
    uint64_t gap, count, frame;
    *start = 0;
    enum status status = note_done(job);
    if (status != STATUS_OK || !job->resumed)
        return status;
    if (!manifest_next_gap(job->manifest, job->plan.first, &gap, &count))
        gap = job->plan.last; /* only the joining is left; the last state is a tag */
    bool done = false;
    const struct manifest_checkpoint *there = manifest_checkpoint_before(job->manifest, gap);
    while (status == STATUS_OK && !done && there) {
        frame = there->frame;
        status = try_checkpoint(job, there, &done);
        if (done)
            *start = frame;
        else
            there = frame > 0 ? manifest_checkpoint_before(job->manifest, frame - 1) : NULL;
    }
    if (status == STATUS_OK)
        log_info("%llu of %llu frames are there; the simulation goes on from frame %llu",
                 (unsigned long long)frames_there(job),
                 (unsigned long long)(job->plan.last - job->plan.first + 1),
                 (unsigned long long)*start);
    return status;
}
