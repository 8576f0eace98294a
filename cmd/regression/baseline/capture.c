#include "cmd/regression/baseline/capture.h"

#include "cmd/regression/baseline/baseline.h"
#include "cmd/regression/baseline/objects.h"
#include "cmd/regression/baseline/pictures.h"

#include <stdlib.h>
#include <string.h>

/* Bytes. If states and all pictures exceed this, at most every second picture is kept, as many as
 * fit into BASELINE_OBJECTS_MOST; states are dropped only beyond BASELINE_OBJECTS_MOST. A film of
 * 4,096 bodies at 320x180 fits with all of them. */
enum { BYTES_WANTED = 950000 };

static void add_state(struct capture *capture, uint64_t frame)
{
    for (uint32_t i = 0; i < capture->state_count; i++)
        if (capture->state_frames[i] == frame)
            return;
    capture->state_frames[capture->state_count++] = frame;
}

void capture_choose(struct capture *out, uint64_t frames)
{
    *out = (struct capture){0};
    const uint64_t last = frames - 1;
    add_state(out, 0);
    add_state(out, last / 2);
    add_state(out, last);
    /* An odd number of places has a middle one. */
    const uint64_t places = frames < BASELINE_PICTURES_MAX - 1 ? frames : BASELINE_PICTURES_MAX - 1;
    for (uint64_t p = 0; p < places; p++) {
        const uint64_t frame = places == frames      ? p
                               : 2 * p + 1 == places ? last / 2
                                                     : (p * last + (places - 1) / 2) / (places - 1);
        out->picture_frames[out->picture_count++] = frame;
    }
}

void capture_like(struct capture *out, const struct baseline *baseline)
{
    *out = (struct capture){.state_count = baseline->state_count,
                            .picture_count = baseline->picture_count};
    for (uint32_t i = 0; i < baseline->state_count; i++)
        out->state_frames[i] = baseline->states[i].frame;
    for (uint32_t i = 0; i < baseline->picture_count; i++)
        out->picture_frames[i] = baseline->pictures[i].frame;
}

void capture_free(struct capture *capture)
{
    for (uint32_t i = 0; i < capture->state_count; i++)
        state_free(&capture->states[i]);
    for (uint32_t i = 0; i < capture->picture_count; i++)
        picture_free(&capture->pictures[i]);
    astray_free(&capture->astray);
    *capture = (struct capture){0};
}

/* ---- seeing ---- */

static struct state *wanted_state(struct capture *capture, uint64_t frame)
{
    for (uint32_t i = 0; i < capture->state_count; i++)
        if (capture->state_frames[i] == frame)
            return &capture->states[i];
    return NULL;
}

static enum status see_simulations(void *user, struct simulation *const *simulations, int count)
{
    const uint64_t frame = simulation_frame(simulations[0]);
    struct state *state = wanted_state(user, frame);
    return state && !state->simulations ? state_take(state, simulations, count, frame == 0)
                                        : STATUS_OK;
}

/* Adds the renderer's state; this hook runs after the state was taken. */
static enum status see_renderer(void *user, struct renderer *renderer, struct view *view)
{
    struct state *state = wanted_state(user, view->frame);
    if (state)
        renderer_state(renderer, state->renderer);
    return STATUS_OK;
}

static enum status see_picture(void *user, struct picture *picture)
{
    struct capture *capture = user;
    for (uint32_t i = 0; i < capture->picture_count; i++)
        if (capture->picture_frames[i] == picture->frame && !capture->pictures[i])
            return picture_copy(picture, &capture->pictures[i]);
    return STATUS_OK;
}

static enum status see_astray(void *user, const struct picture *drawn, const uint16_t *rgb,
                              uint32_t width, uint32_t height)
{
    return astray_add(&((struct capture *)user)->astray, drawn, rgb, width, height);
}

void capture_hook(struct capture *capture, struct record_hooks *hooks)
{
    *hooks = (struct record_hooks){.user = capture,
                                   .simulated = see_simulations,
                                   .drawing = see_renderer,
                                   .encoding = see_picture,
                                   .astray = see_astray};
}

const struct state *capture_state(const struct capture *capture, uint64_t frame)
{
    const struct state *state = wanted_state((struct capture *)capture, frame);
    return state && state->simulations ? state : NULL;
}

const struct picture *capture_picture(const struct capture *capture, uint64_t frame)
{
    for (uint32_t i = 0; i < capture->picture_count; i++)
        if (capture->picture_frames[i] == frame)
            return capture->pictures[i];
    return NULL;
}

/* ---- storing ---- */

static enum status store_states(const struct capture *capture, struct baseline *baseline,
                                size_t *bytes)
{
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < capture->state_count && status == STATUS_OK; i++) {
        struct state state = capture->states[i];
        struct stored *out = &baseline->states[baseline->state_count];
        void *data;
        size_t size;
        if (!state.simulations)
            continue;
        memset(state.renderer, 0, sizeof state.renderer);
        status = state_pack(&state, &data, &size);
        if (status == STATUS_OK && *bytes + size <= BASELINE_OBJECTS_MOST) {
            out->frame = capture->state_frames[i];
            out->has_renderer = true;
            memcpy(out->renderer, capture->states[i].renderer, sizeof out->renderer);
            status = object_put(baseline->folder, data, size, out->object);
            baseline->state_count++;
            *bytes += size;
        }
        free(data);
    }
    return status;
}

/* Returns whether place i of `count` is a multiple of `stride` or has a state's picture. */
static bool is_chosen(const struct capture *capture, uint32_t i, uint32_t stride)
{
    for (uint32_t s = 0; s < capture->state_count; s++)
        if (capture->state_frames[s] == capture->picture_frames[i])
            return true;
    return i % stride == 0;
}

struct packed {
    void *data;
    size_t size;
};

/* Returns the smallest stride for which the pictures fit: 1 within BYTES_WANTED, or 2, 4, ...
 * within BASELINE_OBJECTS_MOST. */
static uint32_t choose_stride(const struct capture *capture, const struct packed *packed,
                              size_t bytes)
{
    for (uint32_t stride = 1; stride < BASELINE_PICTURES_MAX; stride *= 2) {
        size_t sum = bytes;
        for (uint32_t i = 0; i < capture->picture_count; i++)
            sum += is_chosen(capture, i, stride) ? packed[i].size : 0;
        if (sum <= BYTES_WANTED || (sum <= BASELINE_OBJECTS_MOST && stride > 1))
            return stride;
    }
    return BASELINE_PICTURES_MAX;
}

static enum status store_pictures(const struct capture *capture, struct baseline *baseline,
                                  size_t bytes)
{
    struct packed packed[BASELINE_PICTURES_MAX] = {0};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < capture->picture_count && status == STATUS_OK; i++)
        if (capture->pictures[i])
            status = picture_pack(capture->pictures[i], &packed[i].data, &packed[i].size);
    const uint32_t stride = choose_stride(capture, packed, bytes);
    for (uint32_t i = 0; i < capture->picture_count && status == STATUS_OK; i++) {
        struct stored *out = &baseline->pictures[baseline->picture_count];
        if (!packed[i].data || !is_chosen(capture, i, stride) ||
            bytes + packed[i].size > BASELINE_OBJECTS_MOST)
            continue;
        out->frame = capture->picture_frames[i];
        status = object_put(baseline->folder, packed[i].data, packed[i].size, out->object);
        baseline->picture_count++;
        bytes += packed[i].size;
    }
    for (uint32_t i = 0; i < capture->picture_count; i++)
        free(packed[i].data);
    return status;
}

enum status capture_store(const struct capture *capture, struct baseline *baseline)
{
    size_t bytes = 0;
    baseline->state_count = baseline->picture_count = 0;
    enum status status = store_states(capture, baseline, &bytes);
    return status == STATUS_OK ? store_pictures(capture, baseline, bytes) : status;
}

enum status capture_encode(const struct capture *capture, const struct run_params *run,
                           const char *folder, struct baseline *out)
{
    struct picture *pictures[BASELINE_PICTURES_MAX];
    struct record encoded = {0};
    if (out->picture_count == 0)
        return STATUS_OK;
    for (uint32_t i = 0; i < out->picture_count; i++)
        pictures[i] = (struct picture *)capture_picture(capture, out->pictures[i].frame);
    enum status status = run_pictures(run, folder, pictures, out->picture_count, &encoded);
    if (status == STATUS_OK)
        status = baseline_put_record(out, &encoded, out->encoding);
    record_free(&encoded);
    return status;
}
