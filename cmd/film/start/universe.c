#include "cmd/film/start/universe.h"

#include "base/ranks/ranks.h"
#include "render/overlay/number_text.h"
#include "sim/bodies/bodies.h"
#include "sim/formats/formats.h"
#include "sim/playback/series.h"

#include <math.h>
#include <string.h>

/* The expansion and the box that the file of frame 0 states, in the scene's units. */
struct said {
    struct cosmology cosmology;
    double age, box[3], centre[3];
};

static enum status read_series(const struct bodies_params *params, struct said *out)
{
    struct series series;
    const enum status status = series_open(&series, params);
    if (status == STATUS_OK) {
        const struct series_file *first = &series.files[0];
        *out = (struct said){.cosmology = first->cosmology, .age = first->time};
        memcpy(out->box, first->box, sizeof out->box);
        memcpy(out->centre, first->centre, sizeof out->centre);
    }
    series_close(&series);
    return status;
}

static enum status read_file(const struct bodies_params *params, struct said *out)
{
    struct snapshot head;
    enum status status = format_read_units(params->file, params->format, &head);
    if (status != STATUS_OK)
        return status;
    *out = (struct said){.age = bodies_time(params, &head)};
    status = bodies_convert(params, &head, params->file);
    out->cosmology = head.cosmology;
    memcpy(out->box, head.box, sizeof out->box);
    snapshot_free(&head);
    return status;
}

/* The first key that is set and needs an expanding universe, or NULL. */
static const char *key_of_expansion(const struct scene *scene)
{
    const struct overlay_params *overlay = &scene->overlay;
    return overlay->clock_as && overlay->clock_as->say            ? "overlay.clock_as"
           : overlay->length_unit && overlay->length_unit->over_h ? "overlay.length_unit"
                                                                  : NULL;
}

static bool comoves(const struct scene *scene)
{
    return scene->bodies.frame && scene->bodies.frame->comoving;
}

static enum status check(const struct scene *scene, const struct universe_found *found)
{
    const struct overlay_params *overlay = &scene->overlay;
    const struct bodies_params *bodies = &scene->bodies;
    const bool is_file = bodies->model->reads_file;
    const char *key = key_of_expansion(scene), *mark = is_file ? "'" : "";
    const char *name = is_file ? bodies->file : bodies->model->name;
    if (key && found->cosmology.hubble == 0) {
        status_fail(STATUS_USAGE,
                    "it needs bodies of an expanding universe, and %s%s%s states no expansion; "
                    "leave it out",
                    mark, name, mark);
        return scene_blame(scene, key);
    }
    if (overlay->clock_as && overlay->clock_as->say && overlay->clock_from.kind != MOMENT_START) {
        status_fail(STATUS_USAGE,
                    "a clock that counts time from a moment cannot show %s; leave out one of "
                    "overlay.clock_from and overlay.clock_as",
                    overlay->clock_as->name);
        return scene_blame(scene, "overlay.clock_as");
    }
    if (scene->look.copies > 0 &&
        !(found->edge[0] > 0 || found->edge[1] > 0 || found->edge[2] > 0)) {
        status_fail(STATUS_USAGE, "it needs bodies in a periodic box, and %s%s%s has none; %s",
                    mark, name, mark,
                    is_file ? "set bodies.box to its edges, or look.copies to 0"
                            : "set it to 0, or take bodies from a file");
        return scene_blame(scene, "look.copies");
    }
    return STATUS_OK;
}

/* Finds the range of the bodies' coordinates, which includes the box. `leaves`: bodies are
 * simulated and may leave the box, by up to half an edge on each side. */
static enum status find_range(const struct bodies *bodies, bool leaves, struct universe_found *out)
{
    double most[6];
    for (int c = 0; c < 3; c++) {
        const double around = leaves ? out->edge[c] / 2 : 0;
        most[c] = around - out->low[c];
        most[3 + c] = out->high[c] + around;
    }
    for (size_t i = 0; i < bodies->count; i++)
        for (int c = 0; c < 3; c++) {
            most[c] = fmax(most[c], -bodies->position[i][c]);
            most[3 + c] = fmax(most[3 + c], bodies->position[i][c]);
        }
    const enum status status = bodies->shared ? ranks_largest(most, 6) : STATUS_OK;
    for (int c = 0; c < 3; c++) {
        out->low[c] = -most[c];
        out->high[c] = most[3 + c];
    }
    return status;
}

enum status universe_read(const struct scene *scene, struct universe_found *out)
{
    const struct bodies_params *params = &scene->bodies;
    struct said said = {.age = 0};
    memset(out, 0, sizeof *out);
    const enum status status = !params->model->reads_file ? STATUS_OK
                               : params->model->plays     ? read_series(params, &said)
                                                          : read_file(params, &said);
    if (status != STATUS_OK)
        return status;
    out->cosmology = said.cosmology;
    out->cosmology.hubble *= params->velocity_scale / params->position_scale;
    out->age = said.age;
    out->comoving = comoves(scene);
    for (int c = 0; c < 3; c++) {
        out->edge[c] = said.box[c] * params->position_scale;
        out->low[c] =
            said.centre[c] > 0 ? said.centre[c] * params->position_scale - out->edge[c] / 2 : 0;
        out->high[c] = out->low[c] + out->edge[c];
    }
    return status;
}

enum status universe_find(const struct scene *scene, const struct bodies *bodies,
                          struct universe_found *out)
{
    const double *box = scene->bodies.box;
    const bool boxed = box[0] > 0 || box[1] > 0 || box[2] > 0;
    memset(out, 0, sizeof *out);
    if (!key_of_expansion(scene) && scene->look.copies == 0 && !comoves(scene) && !boxed)
        return STATUS_OK;
    enum status status = universe_read(scene, out);
    if (status == STATUS_OK)
        status = check(scene, out);
    return status == STATUS_OK && scene->look.copies > 0
               ? find_range(bodies, !scene->bodies.model->plays, out)
               : status;
}
