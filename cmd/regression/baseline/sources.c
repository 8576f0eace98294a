#include "cmd/regression/baseline/sources.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/job/target.h"
#include "cmd/film/film.h"
#include "cmd/film/start/quantity.h"
#include "cmd/regression/record/readback.h"
#include "cmd/regression/record/recorder.h"
#include "render/sinks.h"
#include "scenes/print.h"
#include "sim/bodies/bodies_whole.h"

#include <stdlib.h>
#include <string.h>

void made_free(struct made *made)
{
    record_free(&made->record);
    kept_free(&made->kept);
    kept_free(&made->astray[0]);
    kept_free(&made->astray[1]);
}

enum status source_path(const char *folder, const char *format, char **path)
{
    const struct sink_ops *sink;
    const char *name = *format ? format : "mp4";
    *path = NULL;
    enum status status = sink_choose(&(struct sink_params){.path = "", .format = name}, &sink);
    if (status != STATUS_OK)
        return status;
    if (strcmp(sink->name, "hash") == 0)
        return status_fail(STATUS_USAGE,
                           "a baseline needs the film's pictures, and '%s' keeps none; choose mp4, "
                           "png or another format",
                           name);
    *path = sink->sequence ? text_format("%s/frames/%%06d.%s", folder, name)
                           : text_format("%s/film.%s", folder, name);
    return STATUS_OK;
}

/* ---- the film ---- */

static enum status see_simulations(void *user, struct simulation *const *simulations, int count)
{
    return kept_see_simulations(&((struct made *)user)->kept, simulations, count);
}

/* Runs after the state was taken. */
static enum status see_renderer(void *user, struct renderer *renderer, struct view *view)
{
    kept_see_renderer(&((struct made *)user)->kept, renderer, view->frame);
    return STATUS_OK;
}

static enum status see_picture(void *user, struct picture *picture)
{
    return kept_see_picture(&((struct made *)user)->kept, picture);
}

/* Keeps what the film shows as a picture of the drawn one's size: the film may be padded. */
static enum status add_shown(struct kept *kept, const struct picture *drawn, const uint16_t *rgb,
                             uint32_t width)
{
    struct picture *shown;
    const enum status status =
        picture_create(&shown, PICTURE_RGBA16, drawn->layout.width, drawn->layout.height);
    if (status != STATUS_OK)
        return status;
    shown->frame = drawn->frame;
    for (uint32_t y = 0; y < drawn->layout.height; y++)
        for (uint32_t x = 0; x < drawn->layout.width; x++) {
            uint16_t rgba[4] = {0, 0, 0, UINT16_MAX};
            memcpy(rgba, rgb + 3 * ((size_t)y * width + x), 3 * sizeof *rgb);
            memcpy(shown->data + (size_t)y * shown->layout.plane[0].stride + 8 * (size_t)x, rgba,
                   sizeof rgba);
        }
    kept_add(kept, shown);
    return STATUS_OK;
}

static enum status see_astray(void *user, const struct picture *drawn, const uint16_t *rgb,
                              uint32_t width, uint32_t height)
{
    struct made *made = user;
    struct picture *copy;
    (void)height;
    const enum status status = picture_copy(drawn, &copy);
    if (status != STATUS_OK)
        return status;
    kept_add(&made->astray[0], copy);
    return rgb ? add_shown(&made->astray[1], drawn, rgb, width) : STATUS_OK;
}

/* Returns how many bytes the path of the bodies file takes in the text of the scene, with quotes if
 * needed. */
static size_t named_bytes(const struct scene *scene)
{
    static char none[] = "";
    struct scene unnamed = *scene;
    unnamed.bodies.file = none;
    char *with = scene_print(scene), *without = scene_print(&unnamed);
    const size_t named = strlen(with), left = strlen(without);
    free(with);
    free(without);
    return named > left ? named - left : 0;
}

enum status source_film(const struct source *source, struct made *out)
{
    char *path = NULL;
    enum status status = STATUS_OK;
    if (ranks_begin_first()) {
        status = file_make_folder(source->folder);
        if (status == STATUS_OK)
            status = source_path(source->folder, source->format, &path);
    }
    status = ranks_end_first(status);
    if (status != STATUS_OK) {
        free(path);
        return status;
    }
    const struct record_hooks hooks = {.user = out,
                                       .simulated = see_simulations,
                                       .drawing = see_renderer,
                                       .encoding = see_picture,
                                       .astray = see_astray};
    const struct record_request request = {
        .scene = source->scene,
        .name = "",
        .output = path,
        .format = source->format,
        .backend = source->backend,
        .device = source->device,
        .threads = source->threads,
        .diagnostics = source->diagnostics,
        .expected = source->expected,
        .hooks = &hooks,
        .stop = source->stop,
    };
    status = record_film(&request, &out->record);
    const size_t named = named_bytes(source->scene);
    if (status == STATUS_OK && out->record.container.bytes > named)
        out->record.container.bytes -= named;
    free(path);
    return status;
}

/* ---- stored bodies ---- */

/* Places the scene's bodies where the stored ones were at frame 0, as far as that is known. Of
 * several ranks, rank 0 has all of both. NULL: panels with scenes of their own start as those say.
 */
static enum status take_bodies(const struct source *source, const struct state *first,
                               struct bodies **out)
{
    const enum division division = ranks_are_together() ? DIVIDE_FIRST : DIVIDE_NOT;
    *out = NULL;
    if (look_is_montage(&source->scene->look))
        return STATUS_OK;
    enum status status = quantity_bodies(source->scene, division, out);
    struct bodies *bodies = *out;
    if (status == STATUS_OK && first && first->position && bodies->count != first->view[0].count)
        status = status_fail(STATUS_MISMATCH,
                             "the scene now has %zu bodies, and the stored state has %zu",
                             bodies->count, first->view[0].count);
    if (status != STATUS_OK) {
        bodies_destroy(out);
    } else if (first && first->position) {
        memcpy(bodies->position, first->position, bodies->count * sizeof *bodies->position);
        memcpy(bodies->velocity, first->velocity, bodies->count * sizeof *bodies->velocity);
        if (first->mass)
            memcpy(bodies->mass, first->mass, bodies->count * sizeof *bodies->mass);
    }
    return status;
}

static const struct state *first_state(const struct source *source)
{
    return source->stored->state_count > 0
               ? kept_state(source->stored, source->stored->states[0].frame)
               : NULL;
}

/* ---- the physics from the stored start ---- */

static enum status run(const struct source *source, struct film *film, struct record *record)
{
    const struct record *before = &source->baseline->record;
    enum status status = STATUS_OK;
    for (uint64_t f = 0; f < before->count && status == STATUS_OK; f++) {
        struct frame_record *frame = &record->frames[f];
        frame->frame = before->frames[f].frame;
        for (int s = 0; s < film->simulation_count && status == STATUS_OK; s++)
            status = simulation_advance(film->simulations[s], frame->frame, source->stop);
        if (status == STATUS_OK)
            status = physics_record(film, true, f > 0 ? &before->frames[f] : NULL, frame);
    }
    physics_describe(film, record);
    record->bodies = whole_size(bodies_whole(film->bodies));
    record->softening = before->softening;
    return status;
}

enum status source_start(const struct source *source, struct made *out)
{
    const struct state *first = first_state(source);
    struct bodies *bodies = NULL;
    struct film film = {0};
    enum status status = record_create(&out->record, 0, source->baseline->record.count);
    if (ranks_begin_first() && (!first || first->frame != 0 || !first->mass)) /* of old baselines */
        status = status_fail(STATUS_MISMATCH, "the baseline stores no initial state");
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = take_bodies(source, first, &bodies);
    if (ranks_are_together())
        status = ranks_agree(status);
    if (status != STATUS_OK)
        bodies_destroy(&bodies);
    else
        status = film_open(&film, &(struct film_options){.scene = source->scene,
                                                         .backend = source->backend,
                                                         .device = source->device,
                                                         .bodies = bodies,
                                                         .opens = FILM_SIMULATIONS,
                                                         .whole = "this command"});
    if (status == STATUS_OK)
        status = run(source, &film, &out->record);
    film_close(&film);
    return status;
}

/* ---- stored states ---- */

static enum status check_views(const struct film *film, const struct state *state)
{
    if (state->simulations != film->simulation_count)
        return status_fail(STATUS_MISMATCH,
                           "the scene now needs %d simulations, and the stored state has %d",
                           film->simulation_count, state->simulations);
    for (int s = 0; s < state->simulations; s++) {
        const size_t count = simulation_solver(film->simulations[s])->count;
        if (state->view[s].count != count)
            return status_fail(STATUS_MISMATCH,
                               "the scene now has %zu bodies, and the stored state has %zu", count,
                               state->view[s].count);
    }
    return STATUS_OK;
}

static enum status draw_one(struct film *film, const struct state *state, struct picture *picture,
                            struct frame_record *frame, struct kept *kept)
{
    struct picture *copy;
    enum status status = check_views(film, state);
    if (status != STATUS_OK)
        return status;
    renderer_resume(film->renderer, state->renderer);
    status = renderer_submit(film->renderer, &state->view[0], picture);
    if (status == STATUS_OK)
        status = renderer_wait(film->renderer);
    if (status == STATUS_OK)
        status = picture_copy(picture, &copy);
    if (status != STATUS_OK)
        return status;
    kept_add(kept, copy);
    frame->frame = picture->frame;
    frame->time = picture->time;
    drawn_record(picture, NULL, frame);
    return STATUS_OK;
}

static enum status draw_all(struct film *film, struct kept *stored, struct made *out)
{
    struct picture *picture = NULL;
    enum status status = renderer_bind(film->renderer);
    if (status != STATUS_OK)
        return status;
    renderer_measure_light(film->renderer);
    status = renderer_picture_create(film->renderer, &picture);
    for (uint32_t i = 0; i < stored->state_count && status == STATUS_OK; i++) {
        const struct state *state = kept_state(stored, stored->states[i].frame);
        status = state ? draw_one(film, state, picture, &out->record.frames[i], &out->kept)
                       : status_fail(STATUS_IO, "the state of frame %llu cannot be read",
                                     (unsigned long long)stored->states[i].frame);
    }
    if (picture)
        renderer_picture_destroy(film->renderer, &picture);
    renderer_unbind(film->renderer);
    return status;
}

/* The format of the film's pictures, and so of the stored ones. */
static enum picture_format format_of(const struct source *source)
{
    struct kept *stored = source->stored;
    const struct picture *picture =
        stored->picture_count ? kept_picture(stored, stored->pictures[0].frame) : NULL;
    return picture ? picture->layout.format : PICTURE_RGBA16;
}

enum status source_states(const struct source *source, struct made *out)
{
    const struct state *first = first_state(source);
    struct bodies *bodies = NULL;
    struct film film = {0};
    if (!first)
        return status_fail(STATUS_MISMATCH, "the baseline has no states");
    enum status status = record_create(&out->record, 0, source->stored->state_count);
    if (status == STATUS_OK)
        status = take_bodies(source, first, &bodies);
    /* The backend is the CPU because stored views lie in host memory. */
    if (status == STATUS_OK)
        status = film_open(&film, &(struct film_options){.scene = source->scene,
                                                         .backend = "cpu",
                                                         .bodies = bodies,
                                                         .format = format_of(source)});
    if (status == STATUS_OK)
        status = draw_all(&film, source->stored, out);
    film_close(&film);
    return status;
}

/* ---- stored pictures ---- */

static enum status encode(const struct target *target, const struct picture *const *pictures,
                          uint32_t count, uint64_t *bytes)
{
    struct sink *sink;
    enum status status = sink_open(&target->params, &sink);
    if (status != STATUS_OK)
        return status;
    struct failure failure = {0};
    for (uint32_t i = 0; i < count && failure.status == STATUS_OK; i++) {
        struct picture numbered = *pictures[i];
        numbered.frame = i;
        failure_keep(&failure, sink->ops->write(sink, &numbered));
    }
    failure_keep(&failure, sink->ops->close(&sink, failure.status == STATUS_OK, NULL, bytes));
    return failure_report(&failure);
}

static enum status read_back(const struct target *target, const char *path,
                             const struct picture *const *pictures, uint32_t count, uint64_t bytes,
                             struct record *record)
{
    uint8_t *data[BASELINE_PICTURES_MAX];
    const struct kept_pictures kept = {.layout = pictures[0]->layout, .data = data};
    uint64_t compared;
    enum status status = record_create(record, 0, count);
    if (status != STATUS_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        luma_measure(pictures[i], NULL, &record->frames[i]);
        data[i] = pictures[i]->data;
    }
    status = target->sink->sequence ? readback_sequence(path, bytes, record)
                                    : readback_film(path, record);
    return status == STATUS_OK ? readback_pictures(path, &kept, NULL, record, &compared) : status;
}

enum status source_pictures(const struct source *source, struct made *out)
{
    const struct picture *pictures[BASELINE_PICTURES_MAX];
    const uint32_t count = source->baseline->picture_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t frame = source->baseline->pictures[i].frame;
        pictures[i] = kept_picture(source->stored, frame);
        if (!pictures[i])
            return status_fail(STATUS_IO, "the picture of frame %llu cannot be read",
                               (unsigned long long)frame);
    }
    if (count == 0)
        return status_fail(STATUS_MISMATCH, "the baseline has no pictures");
    struct target target = {0};
    uint64_t bytes = 0;
    char *path = NULL;
    enum status status = file_make_folder(source->folder);
    if (status == STATUS_OK)
        status = source_path(source->folder, source->format, &path);
    const struct target_request request = {.scene = "",
                                           .output = path,
                                           .format = source->format,
                                           .backend = source->backend,
                                           .device = source->device,
                                           .overwrite = true};
    if (status == STATUS_OK)
        status = target_plan(&target, &request, source->scene);
    if (status == STATUS_OK)
        status = recorder_check(&target);
    if (status == STATUS_OK)
        status = encode(&target, pictures, count, &bytes);
    if (status == STATUS_OK)
        status = read_back(&target, path, pictures, count, bytes, &out->record);
    target_free(&target);
    free(path);
    return status;
}
