#include "cmd/regression/baseline/kept.h"

#include "base/memory.h"
#include "cmd/regression/baseline/objects.h"

#include <stdlib.h>
#include <string.h>

/* Bytes. If states and all pictures exceed this, at most every second picture is kept, as many as
 * fit into BASELINE_OBJECTS_MOST; states are dropped only beyond BASELINE_OBJECTS_MOST. A film of
 * 4,096 bodies at 320x180 fits with all of them. */
enum { BYTES_WANTED = 950000 };

static struct kept_state *find_state(struct kept *kept, uint64_t frame)
{
    for (uint32_t i = 0; i < kept->state_count; i++)
        if (kept->states[i].frame == frame)
            return &kept->states[i];
    return NULL;
}

static struct kept_picture *find_picture(struct kept *kept, uint64_t frame)
{
    for (uint32_t i = 0; i < kept->picture_count; i++)
        if (kept->pictures[i].frame == frame)
            return &kept->pictures[i];
    return NULL;
}

/* ---- choosing ---- */

static void choose_state(struct kept *kept, uint64_t frame)
{
    if (!find_state(kept, frame))
        kept->states[kept->state_count++].frame = frame;
}

void kept_choose(struct kept *out, uint64_t frames)
{
    *out = (struct kept){0};
    const uint64_t last = frames - 1;
    choose_state(out, 0);
    choose_state(out, last / 2);
    choose_state(out, last);
    /* An odd number of places has a middle one. */
    const uint64_t places = frames < BASELINE_PICTURES_MAX - 1 ? frames : BASELINE_PICTURES_MAX - 1;
    for (uint64_t p = 0; p < places; p++)
        out->pictures[out->picture_count++].frame =
            places == frames      ? p
            : 2 * p + 1 == places ? last / 2
                                  : (p * last + (places - 1) / 2) / (places - 1);
}

void kept_choose_like(struct kept *out, const struct baseline *baseline)
{
    *out = (struct kept){.state_count = baseline->state_count,
                         .picture_count = baseline->picture_count};
    for (uint32_t i = 0; i < baseline->state_count; i++)
        out->states[i].frame = baseline->states[i].frame;
    for (uint32_t i = 0; i < baseline->picture_count; i++)
        out->pictures[i].frame = baseline->pictures[i].frame;
}

void kept_choose_beside(struct kept *kept, const struct baseline *baseline)
{
    for (uint32_t i = 0; i < baseline->picture_count; i++)
        if (!find_picture(kept, baseline->pictures[i].frame))
            kept->pictures[kept->picture_count++] =
                (struct kept_picture){.frame = baseline->pictures[i].frame, .beside = true};
}

void kept_free(struct kept *kept)
{
    for (uint32_t i = 0; i < kept->state_count; i++) {
        state_free(&kept->states[i].state);
        free(kept->states[i].positions);
        free(kept->states[i].object);
    }
    for (uint32_t i = 0; i < kept->picture_count; i++) {
        picture_free(&kept->pictures[i].picture);
        free(kept->pictures[i].object);
    }
    *kept = (struct kept){0};
}

/* ---- a film that is being made ---- */

enum status kept_see_simulations(struct kept *kept, struct simulation *const *simulations,
                                 int count)
{
    const uint64_t frame = simulation_frame(simulations[0]);
    struct kept_state *own = find_state(kept, frame);
    return own && !own->state.simulations ? state_take(&own->state, simulations, count, frame == 0)
                                          : STATUS_OK;
}

void kept_see_renderer(struct kept *kept, const struct renderer *renderer, uint64_t frame)
{
    struct kept_state *own = find_state(kept, frame);
    if (own)
        renderer_state(renderer, own->state.renderer);
}

enum status kept_see_picture(struct kept *kept, const struct picture *picture)
{
    struct kept_picture *own = find_picture(kept, picture->frame);
    return own && !own->picture ? picture_copy(picture, &own->picture) : STATUS_OK;
}

void kept_add(struct kept *kept, struct picture *picture)
{
    kept->pictures[kept->picture_count++] =
        (struct kept_picture){.frame = picture->frame, .picture = picture};
}

/* ---- reading ---- */

/* Reads an object that the baseline names; notes that it is missing. */
static enum status read_object(const struct baseline *baseline, const char *object, void **data,
                               size_t *size, char **missing)
{
    enum object_state state;
    *data = NULL;
    if (!*object)
        return STATUS_OK;
    const enum status status =
        object_get(baseline->folder, object, OBJECT_READ_MOST, data, size, &state);
    if (status == STATUS_OK || state != OBJECT_MISSING)
        return status;
    if (!*missing)
        *missing = memory_text(status_text());
    return STATUS_OK;
}

enum status kept_read(struct kept *out, const struct baseline *baseline, char **missing)
{
    const char *const records[] = {baseline->encoding, baseline->anchor};
    enum status status = STATUS_OK;
    *missing = NULL;
    kept_choose_like(out, baseline);
    for (int r = 0; r < 2 && status == STATUS_OK; r++) {
        void *data;
        size_t size;
        status = read_object(baseline, records[r], &data, &size, missing);
        free(data);
    }
    for (uint32_t i = 0; i < out->state_count && status == STATUS_OK; i++) {
        const struct stored *stored = &baseline->states[i];
        struct kept_state *own = &out->states[i];
        status = read_object(baseline, stored->object, &own->object, &own->size, missing);
        if (stored->has_renderer)
            memcpy(own->state.renderer, stored->renderer, sizeof own->state.renderer);
    }
    for (uint32_t i = 0; i < out->picture_count && status == STATUS_OK; i++)
        status = read_object(baseline, baseline->pictures[i].object, &out->pictures[i].object,
                             &out->pictures[i].size, missing);
    return status;
}

/* The renderer's state lies in the object of old baselines, in the text of others. A state is
 * unpacked in place, because its views point at each other. */
static void unpack_state(struct kept_state *own)
{
    static const double none[RENDERER_STATE];
    double renderer[RENDERER_STATE];
    memcpy(renderer, own->state.renderer, sizeof renderer);
    const enum status status = state_unpack(own->object, own->size, &own->state);
    if (memcmp(renderer, none, sizeof none) != 0)
        memcpy(own->state.renderer, renderer, sizeof renderer);
    if (status != STATUS_OK || own->state.frame != own->frame)
        state_free(&own->state);
    free(own->object);
    own->object = NULL;
}

const struct state *kept_state(struct kept *kept, uint64_t frame)
{
    struct kept_state *own = find_state(kept, frame);
    if (own && own->object)
        unpack_state(own);
    return own && own->state.simulations ? &own->state : NULL;
}

/* Returns the doubles if they were kept, else the floats. */
const double (*kept_positions(struct kept *kept, uint64_t frame, size_t *count))[3]
{
    const struct state *state = kept_state(kept, frame);
    struct kept_state *own = find_state(kept, frame);
    if (!state)
        return NULL;
    const struct view *view = &state->view[0];
    *count = view->count;
    if (state->position)
        return (const double(*)[3])state->position;
    if (!own->positions)
        own->positions = malloc((view->count + 1) * sizeof *own->positions);
    for (size_t i = 0; own->positions && i < view->count; i++)
        for (size_t c = 0; c < 3; c++)
            own->positions[i][c] = (double)view->position[4 * i + c];
    return (const double(*)[3])own->positions;
}

const struct picture *kept_picture(struct kept *kept, uint64_t frame)
{
    struct kept_picture *own = find_picture(kept, frame);
    if (own && own->object) {
        if (picture_unpack(own->object, own->size, &own->picture) == STATUS_OK &&
            own->picture->frame != frame)
            picture_free(&own->picture);
        free(own->object);
        own->object = NULL;
    }
    return own ? own->picture : NULL;
}

/* ---- storing ---- */

static enum status store_states(const struct kept *kept, struct baseline *baseline, size_t *bytes)
{
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < kept->state_count && status == STATUS_OK; i++) {
        struct state state = kept->states[i].state;
        struct stored *out = &baseline->states[baseline->state_count];
        void *data;
        size_t size;
        if (!state.simulations)
            continue;
        /* The object stays the same with another camera, whose metered exposure differs. */
        memset(state.renderer, 0, sizeof state.renderer);
        state_pack(&state, &data, &size);
        if (*bytes + size <= BASELINE_OBJECTS_MOST) {
            *out = (struct stored){.frame = kept->states[i].frame, .has_renderer = true};
            memcpy(out->renderer, kept->states[i].state.renderer, sizeof out->renderer);
            status = object_put(baseline->folder, data, size, out->object);
            baseline->state_count++;
            *bytes += size;
        }
        free(data);
    }
    return status;
}

struct packed {
    void *data;
    size_t size;
};

/* Returns whether place i is a multiple of `stride` or has a state's picture. */
static bool is_chosen(const struct kept *kept, uint32_t i, uint32_t stride)
{
    return find_state((struct kept *)kept, kept->pictures[i].frame) || i % stride == 0;
}

/* Returns the smallest stride for which the pictures fit: 1 within BYTES_WANTED, or 2, 4, ...
 * within BASELINE_OBJECTS_MOST. */
static uint32_t choose_stride(const struct kept *kept, const struct packed *packed, size_t bytes)
{
    for (uint32_t stride = 1; stride < BASELINE_PICTURES_MAX; stride *= 2) {
        size_t sum = bytes;
        for (uint32_t i = 0; i < kept->picture_count; i++)
            sum += is_chosen(kept, i, stride) ? packed[i].size : 0;
        if (sum <= BYTES_WANTED || (sum <= BASELINE_OBJECTS_MOST && stride > 1))
            return stride;
    }
    return BASELINE_PICTURES_MAX;
}

static enum status store_pictures(const struct kept *kept, struct baseline *baseline, size_t bytes)
{
    struct packed packed[KEPT_PICTURES_MAX] = {0};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < kept->picture_count && status == STATUS_OK; i++)
        if (kept->pictures[i].picture && !kept->pictures[i].beside)
            status = picture_pack(kept->pictures[i].picture, &packed[i].data, &packed[i].size);
    const uint32_t stride = choose_stride(kept, packed, bytes);
    for (uint32_t i = 0; i < kept->picture_count && status == STATUS_OK; i++) {
        struct stored *out = &baseline->pictures[baseline->picture_count];
        if (!packed[i].data || !is_chosen(kept, i, stride) ||
            bytes + packed[i].size > BASELINE_OBJECTS_MOST)
            continue;
        out->frame = kept->pictures[i].frame;
        status = object_put(baseline->folder, packed[i].data, packed[i].size, out->object);
        baseline->picture_count++;
        bytes += packed[i].size;
    }
    for (uint32_t i = 0; i < kept->picture_count; i++)
        free(packed[i].data);
    return status;
}

enum status kept_store(const struct kept *kept, struct baseline *baseline)
{
    size_t bytes = 0;
    baseline->state_count = baseline->picture_count = 0;
    enum status status = store_states(kept, baseline, &bytes);
    return status == STATUS_OK ? store_pictures(kept, baseline, bytes) : status;
}
