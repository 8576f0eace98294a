/* What a run in parts goes on from, and what it leaves behind for that. */
#include "cmd/job/state.h"

#include "base/log.h"
#include "sim/checkpoint/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>

size_t parts_place(const struct parts *parts, uint64_t index)
{
    return (size_t)(index - parts->plan.first / parts->plan.segment);
}

bool parts_wanted(void *user, uint64_t frame)
{
    const struct parts *parts = user;
    return !parts->done[parts_place(parts, frame / parts->plan.segment)];
}

static uint64_t piece_end(const struct parts *parts, uint64_t index)
{
    const uint64_t end = (index + 1) * parts->plan.segment;
    return end < parts->plan.last + 1 ? end : parts->plan.last + 1;
}

static enum status note_pieces(struct parts *parts)
{
    const size_t count = parts_place(parts, parts->plan.last / parts->plan.segment) + 1;
    parts->done = calloc(count, sizeof *parts->done);
    if (!parts->done)
        return status_fail(STATUS_RUNTIME, "no memory left for the parts of the film");
    for (size_t p = 0; p < parts->manifest->piece_count; p++) {
        const struct manifest_piece *piece = &parts->manifest->pieces[p];
        const size_t place = parts_place(parts, piece->first / parts->plan.segment);
        if (place < count)
            parts->done[place] =
                piece->first + piece->count == piece_end(parts, piece->first / parts->plan.segment);
    }
    return STATUS_OK;
}

static uint64_t frames_there(const struct parts *parts)
{
    uint64_t frames = 0;
    for (uint64_t f = parts->plan.first; f <= parts->plan.last; f++)
        frames += !parts_wanted((void *)parts, f);
    return frames;
}

/* ---- the renderer's state ---- */

/* An exposure that adapts has one at the first frame of each piece, any other one for all. */
static void state_name(const struct parts *parts, uint64_t frame, int i,
                       char name[MANIFEST_NAME_MAX])
{
    if (renderer_meters_every_frame(parts->film->renderer))
        snprintf(name, MANIFEST_NAME_MAX, "renderer %d at frame %llu", i,
                 (unsigned long long)frame);
    else
        snprintf(name, MANIFEST_NAME_MAX, "renderer %d", i);
}

static bool find_state(const struct parts *parts, uint64_t frame, double state[RENDERER_STATE])
{
    bool found = true;
    for (int i = 0; i < RENDERER_STATE && found; i++) {
        char name[MANIFEST_NAME_MAX];
        state_name(parts, frame, i, name);
        found = manifest_get_value(parts->manifest, name, &state[i]);
    }
    return found;
}

enum status parts_drawing(void *user, uint64_t frame)
{
    struct parts *parts = user;
    double state[RENDERER_STATE];
    struct manifest_value values[RENDERER_STATE];
    pthread_mutex_lock(&parts->lock);
    enum status status = STATUS_OK;
    if (!find_state(parts, frame, state)) {
        renderer_state(parts->film->renderer, state);
        for (int i = 0; i < RENDERER_STATE; i++) {
            state_name(parts, frame, i, values[i].name);
            values[i].value = state[i];
        }
        status = manifest_set_values(parts->manifest, values, RENDERER_STATE);
    }
    pthread_mutex_unlock(&parts->lock);
    return status;
}

/* ---- checkpoints ---- */

static bool has_checkpoint(const struct parts *parts, uint64_t frame)
{
    const struct manifest_checkpoint *there = manifest_checkpoint_before(parts->manifest, frame);
    return there && there->frame == frame;
}

/* Frame 0 is made from the scene as quickly. */
enum status parts_simulated(void *user, uint64_t frame)
{
    struct parts *parts = user;
    char name[MANIFEST_NAME_MAX];
    enum status status = parts_leave_checkpoint(parts, frame);
    if (status != STATUS_OK)
        return status;
    pthread_mutex_lock(&parts->lock);
    const bool there = frame == 0 || has_checkpoint(parts, frame);
    pthread_mutex_unlock(&parts->lock);
    if (there)
        return STATUS_OK;
    manifest_checkpoint_name(name, frame);
    char *path = manifest_path(parts->manifest, name);
    if (!path)
        return status_fail(STATUS_RUNTIME, "no memory left for a checkpoint");
    status = checkpoint_write(path, parts->film->simulations, (size_t)parts->film->simulation_count,
                              parts->scene_hash, NULL);
    free(path);
    if (status != STATUS_OK)
        return status;
    pthread_mutex_lock(&parts->lock);
    status = manifest_add_checkpoint(parts->manifest, frame, name);
    if (status == STATUS_OK)
        status = manifest_drop_checkpoints(parts->manifest);
    pthread_mutex_unlock(&parts->lock);
    return status;
}

enum status parts_go_to(struct parts *parts, char *path, bool *done)
{
    *done = false;
    if (!path)
        return parts_no_memory();
    enum status status =
        checkpoint_read(path, parts->film->simulations, (size_t)parts->film->simulation_count,
                        parts->scene_hash, NULL);
    free(path);
    *done = status == STATUS_OK;
    if (status != STATUS_IO)
        return status;
    log_warning("%s; the run goes on from an earlier one", status_text());
    return STATUS_OK;
}

/* Whether the film stands at the checkpoint now. */
static enum status try_checkpoint(struct parts *parts, const struct manifest_checkpoint *there,
                                  bool *done)
{
    double state[RENDERER_STATE];
    *done = false;
    if (!find_state(parts, there->frame, state))
        return STATUS_OK;
    enum status status = parts_go_to(parts, manifest_path(parts->manifest, there->file), done);
    if (status == STATUS_OK && *done) {
        renderer_resume(parts->film->renderer, state);
        parts->metered = true;
    }
    return status;
}

enum status parts_restore(struct parts *parts, uint64_t *start)
{
    uint64_t gap, count, frame;
    *start = 0;
    enum status status = note_pieces(parts);
    if (status != STATUS_OK || !parts->resumed)
        return status;
    if (!manifest_next_gap(parts->manifest, parts->plan.first, &gap, &count))
        gap = parts->plan.last; /* only the joining is left; the last state is a tag */
    bool done = false;
    const struct manifest_checkpoint *there = manifest_checkpoint_before(parts->manifest, gap);
    while (status == STATUS_OK && !done && there) {
        frame = there->frame;
        status = try_checkpoint(parts, there, &done);
        if (done)
            *start = frame;
        else
            there = frame > 0 ? manifest_checkpoint_before(parts->manifest, frame - 1) : NULL;
    }
    if (status == STATUS_OK)
        log_info("%llu of %llu frames are there; the simulation goes on from frame %llu",
                 (unsigned long long)frames_there(parts),
                 (unsigned long long)(parts->plan.last - parts->plan.first + 1),
                 (unsigned long long)*start);
    return status;
}
