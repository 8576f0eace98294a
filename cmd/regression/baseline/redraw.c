#include "cmd/regression/baseline/redraw.h"

#include "cmd/regression/baseline/objects.h"
#include "cmd/film/film.h"
#include "cmd/film/start/quantity.h"
#include "cmd/regression/record/readback.h"

#include <stdlib.h>
#include <string.h>

static enum status read_stored(const struct baseline *baseline, const struct stored *stored,
                               void **data, size_t *size)
{
    enum object_state state;
    return object_get(baseline->folder, stored->object, OBJECT_READ_MOST, data, size, &state);
}

enum status baseline_get_state(const struct baseline *baseline, const struct stored *stored,
                               struct state *out)
{
    void *data;
    size_t size;
    *out = (struct state){0};
    enum status status = read_stored(baseline, stored, &data, &size);
    if (status != STATUS_OK)
        return status;
    status = state_unpack(data, size, out);
    free(data);
    if (stored->has_renderer)
        memcpy(out->renderer, stored->renderer, sizeof out->renderer);
    if (status == STATUS_OK && out->frame != stored->frame)
        status = status_fail(STATUS_IO, "'%s' has the state of frame %llu in the place of %llu",
                             baseline->path, (unsigned long long)out->frame,
                             (unsigned long long)stored->frame);
    return status;
}

enum status baseline_get_picture(const struct baseline *baseline, const struct stored *stored,
                                 struct picture **out)
{
    void *data;
    size_t size;
    *out = NULL;
    enum status status = read_stored(baseline, stored, &data, &size);
    if (status != STATUS_OK)
        return status;
    status = picture_unpack(data, size, out);
    free(data);
    if (status == STATUS_OK && (*out)->frame != stored->frame) {
        status = status_fail(STATUS_IO, "'%s' has the picture of frame %llu in the place of %llu",
                             baseline->path, (unsigned long long)(*out)->frame,
                             (unsigned long long)stored->frame);
        picture_free(out);
    }
    return status;
}

/* ---- drawing ---- */

void redraw_measure(const struct picture *picture, struct frame_record *frame)
{
    memcpy(frame->light, picture->light.hash, sizeof frame->light);
    memcpy(frame->light_sum, picture->light.sum, sizeof frame->light_sum);
    frame->light_broken = picture->light.broken;
    frame->time = picture->time;
    luma_measure(picture, NULL, frame);
}

/* Places the scene's bodies where the baseline's were at frame 0. */
static enum status stored_bodies(const struct scene *scene, const struct state *first,
                                 struct bodies **out)
{
    enum status status = quantity_bodies(scene, DIVIDE_NOT, out);
    if (status != STATUS_OK || !first->position)
        return status;
    struct bodies *bodies = *out;
    const struct view *view = &first->view[0];
    if (bodies->count != view->count)
        return status_fail(STATUS_MISMATCH,
                           "the scene now has %zu bodies, and the stored state has %zu",
                           bodies->count, view->count);
    memcpy(bodies->position, first->position, bodies->count * sizeof *bodies->position);
    memcpy(bodies->velocity, first->velocity, bodies->count * sizeof *bodies->velocity);
    if (first->mass)
        memcpy(bodies->mass, first->mass, bodies->count * sizeof *bodies->mass);
    return STATUS_OK;
}

static enum status check_views(const struct film *film, const struct state *state)
{
    if (state->simulations != film->simulation_count)
        return status_fail(STATUS_MISMATCH,
                           "the scene now needs %d simulations, and the stored state has %d",
                           film->simulation_count, state->simulations);
    for (int s = 0; s < state->simulations; s++)
        if (state->view[s].count != film->bodies->count)
            return status_fail(STATUS_MISMATCH,
                               "the scene now has %zu bodies, and the stored state has %zu",
                               film->bodies->count, state->view[s].count);
    return STATUS_OK;
}

static enum status draw_one(struct film *film, const struct state *state, struct picture *picture,
                            redraw_see see, void *user)
{
    enum status status = check_views(film, state);
    if (status != STATUS_OK)
        return status;
    renderer_resume(film->renderer, state->renderer);
    status = renderer_submit(film->renderer, &state->view[0], picture);
    if (status == STATUS_OK)
        status = renderer_wait(film->renderer);
    return status == STATUS_OK ? see(user, film->renderer, picture) : status;
}

static enum status draw_all(const struct baseline *baseline, struct film *film, redraw_see see,
                            void *user, uint32_t *drawn)
{
    struct picture *picture = NULL;
    enum status status = renderer_bind(film->renderer);
    if (status != STATUS_OK)
        return status;
    renderer_measure_light(film->renderer);
    status = renderer_picture_create(film->renderer, &picture);
    for (uint32_t i = 0; i < baseline->state_count && status == STATUS_OK; i++) {
        struct state state;
        status = baseline_get_state(baseline, &baseline->states[i], &state);
        if (status == STATUS_OK)
            status = draw_one(film, &state, picture, see, user);
        state_free(&state);
        *drawn += status == STATUS_OK;
    }
    if (picture)
        renderer_picture_destroy(film->renderer, &picture);
    renderer_unbind(film->renderer);
    return status;
}

enum status redraw_bodies(const struct baseline *baseline, const struct scene *scene,
                          struct bodies **out)
{
    struct state first = {0};
    *out = NULL;
    if (baseline->state_count == 0)
        return status_fail(STATUS_MISMATCH, "the baseline has no states");
    enum status status = baseline_get_state(baseline, &baseline->states[0], &first);
    if (status == STATUS_OK)
        status = stored_bodies(scene, &first, out);
    state_free(&first);
    if (status != STATUS_OK)
        bodies_destroy(out);
    return status;
}

enum status redraw_states(const struct baseline *baseline, const struct scene *scene,
                          enum picture_format format, redraw_see see, void *user, uint32_t *drawn)
{
    struct bodies *bodies = NULL;
    struct film film = {0};
    *drawn = 0;
    enum status status = redraw_bodies(baseline, scene, &bodies);
    if (status != STATUS_OK)
        return status;
    /* The backend is the CPU because stored views lie in host memory. */
    status =
        film_open(&film, &(struct film_options){
                             .scene = scene, .backend = "cpu", .bodies = bodies, .format = format});
    if (status == STATUS_OK)
        status = draw_all(baseline, &film, see, user, drawn);
    film_close(&film);
    return status;
}
