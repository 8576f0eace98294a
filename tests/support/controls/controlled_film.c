#include "tests/support/controls/controlled_film.h"

#include "cmd/film/film.h"
#include "cmd/film/job/job.h"
#include "cmd/film/job/target.h"
#include "render/sinks.h"
#include "scenes/print.h"
#include "sim/views.h"

#include <stdlib.h>
#include <string.h>

static enum status draw_frame(struct film *film, struct view *view, struct picture *picture,
                              struct sink *sink, const struct record_hooks *hooks)
{
    enum status status = STATUS_OK;
    if (hooks->simulated)
        status = hooks->simulated(hooks->user, film->simulations, film->simulation_count);
    if (status == STATUS_OK)
        status = views_fill(film->simulations, view);
    if (status == STATUS_OK && view->frame == 0)
        status = renderer_meter(film->renderer, view);
    if (status == STATUS_OK && hooks->drawing)
        status = hooks->drawing(hooks->user, film->renderer, view);
    if (status == STATUS_OK)
        status = renderer_submit(film->renderer, view, picture);
    if (status == STATUS_OK)
        status = renderer_wait(film->renderer);
    if (status == STATUS_OK && hooks->picture)
        status = hooks->picture(hooks->user, picture);
    if (status == STATUS_OK && hooks->encoding)
        status = hooks->encoding(hooks->user, picture);
    return status == STATUS_OK ? sink->ops->write(sink, picture) : status;
}

static enum status draw_film(struct film *film, const struct target *target, struct sink *sink,
                             const struct record_hooks *hooks)
{
    struct view *view = NULL;
    struct picture *picture = NULL;
    enum status status = views_create(film->simulations, film->simulation_count, &view);
    if (status == STATUS_OK)
        status = renderer_bind(film->renderer);
    if (status == STATUS_OK) {
        status = renderer_picture_create(film->renderer, &picture);
        for (uint64_t f = target->first; f <= target->last && status == STATUS_OK; f++) {
            for (int i = 0; i < film->simulation_count && status == STATUS_OK; i++)
                status = simulation_advance(film->simulations[i], f, NULL);
            if (status == STATUS_OK)
                status = draw_frame(film, view, picture, sink, hooks);
        }
        if (picture)
            renderer_picture_destroy(film->renderer, &picture);
        renderer_unbind(film->renderer);
    }
    views_destroy(film->simulations, &view);
    return status;
}

static enum status make(struct film *film, struct target *target, const struct record_hooks *hooks)
{
    struct sink *sink;
    struct target_result result;
    enum status status = single_open(&sink, target, film);
    if (status != STATUS_OK)
        return status;
    status = draw_film(film, target, sink, hooks);
    return single_close(&sink, film, status, status == STATUS_OK ? sink->frames : 0, &result);
}

enum status controlled_film(const struct scene *asked, const char *output,
                            const struct record_hooks *hooks)
{
    char *text = scene_print(asked);
    struct scene *scene;
    enum status status = scene_parse(&scene, text, "the copy");
    free(text);
    if (status != STATUS_OK)
        return status;
    struct target target = {0};
    struct film film = {0};
    const struct target_request request = {
        .scene = "", .output = output, .format = "", .backend = "cpu", .overwrite = true};
    if (hooks->scene)
        hooks->scene(hooks->user, scene);
    status = target_plan(&target, &request, asked);
    if (status == STATUS_OK && hooks->sink) {
        hooks->sink(hooks->user, &target.params);
        status = sink_make_plan(&target.params, &target.plan);
    }
    if (status == STATUS_OK)
        status = film_open(&film, &(struct film_options){.scene = scene,
                                                         .backend = "cpu",
                                                         .format = target.plan.format,
                                                         .whole = "this command"});
    if (status == STATUS_OK) {
        status = make(&film, &target, hooks);
        film_close(&film);
    }
    if (status == STATUS_OK && hooks->file)
        status = hooks->file(hooks->user, output);
    target_free(&target);
    scene_close(&scene);
    return status;
}

/* Two small galaxies; x264 in one thread. */
static const char *const settings[][2] = {
    {"bodies.count", "384"},       {"output.frames", "12"},   {"output.size", "192x108"},
    {"overlay.clock", "true"},     {"look.point_size", "14"}, {"output.threads", "1"},
    {"simulation.force", "exact"}, {"simulation.dt", "0.3"},
};

static const struct {
    const char *control, *key, *value;
} needs[] = {
    {"kernel", "simulation.force", "fast"},
    {"order", "simulation.integrator", "yoshida4"},
    {"colour_map", "look.color", "speed"},
    {"colour_map", "look.tone", "filmic"}, /* others map what the light pass has added up */
    {"bloom", "look.bloom", "0.3"},
    {"bloom_off", "look.bloom", "0.3"},
    {"key_late", "camera.keyframes",
     "[{at: start, position: [60, 0, 30]}, {at: 0.2, position: [0, 45, 12]}, "
     "{at: end, position: [0, -20, 60]}]"},
    {"eyes", "camera.projection", "side-by-side"},
    {"nan", "look.weight", "mass"},
    {"exposure_late", "look.exposure", "adapt"},
    {"chroma_halved", "output.chroma", "444"},
    {"bits_lost", "output.bits", "10"},
};

enum status controlled_scene(struct scene **out, const char *control)
{
    enum status status = scene_open(out, TWO_GALAXIES);
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == STATUS_OK; i++)
        status = scene_set(*out, settings[i][0], settings[i][1], "controlled_scene");
    for (size_t i = 0; i < sizeof needs / sizeof *needs && status == STATUS_OK; i++)
        if (strcmp(needs[i].control, control) == 0)
            status = scene_set(*out, needs[i].key, needs[i].value, "controlled_scene");
    return status;
}
