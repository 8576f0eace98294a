#include "cmd/film/scales.h"

#include "cmd/film/camera.h"
#include "cmd/film/sources.h"
#include "render/colour/colour.h"
#include "render/density/density_scale.h"
#include "render/sprites/draw_mode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value that `fraction` of the drawn bodies do not exceed in their distance from `origin`. */
static double percentile(const struct bodies *bodies, double (*values)[3], const double origin[3],
                         double fraction)
{
    double *sizes = malloc(bodies->count * sizeof *sizes), found = 0;
    size_t used = 0;
    for (size_t c = 0; sizes && c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        for (size_t i = component->first;
             component->draw && i < component->first + component->count; i++)
            sizes[used++] = hypot(hypot(values[i][0] - origin[0], values[i][1] - origin[1]),
                                  values[i][2] - origin[2]);
    }
    if (used > 0) {
        qsort(sizes, used, sizeof *sizes, by_value);
        found = sizes[(size_t)(fraction * (double)(used - 1))];
    }
    free(sizes);
    return found;
}

double film_radius(const struct bodies *bodies, const double target[3], double fraction)
{
    return percentile(bodies, bodies->position, target, fraction);
}

double film_speed(const struct bodies *bodies, double fraction)
{
    static const double rest[3] = {0, 0, 0};
    return percentile(bodies, bodies->velocity, rest, fraction);
}

/* Nearly the strongest of the drawn bodies' accelerations: a single close pair counts for nothing.
 */
static enum status find_acceleration(const struct film *film, double *out)
{
    static const double none[3] = {0, 0, 0};
    double(*values)[3] = malloc(film->bodies->count * sizeof *values);
    if (!values)
        return status_fail(STATUS_RUNTIME, "no memory left for the accelerations of %zu bodies",
                           film->bodies->count);
    enum status status = simulation_accelerations(film->simulations[0], values);
    if (status == STATUS_OK)
        *out = percentile(film->bodies, values, none, 0.98);
    free(values);
    if (*out == 0) /* a body alone: any scale will do */
        *out = 1;
    return status;
}

/* What the film's pictures show that has a scale. */
struct wanted {
    bool acceleration, density_scale, difference;
};

static struct wanted find_wanted(const struct scene *scene)
{
    struct wanted wanted = {0};
    const struct look_params *look = &scene->look;
    for (int i = 0; i < film_picture_count(scene); i++) {
        const struct panel_params *panel = look->panel_count > 0 ? &look->panels[i] : NULL;
        const struct colour *colour = colour_find(film_picture_color(scene, i));
        const struct draw_mode *mode =
            draw_mode_find(panel && panel->mode[0] ? panel->mode : look->mode);
        wanted.acceleration = wanted.acceleration || (colour && colour->by_acceleration);
        wanted.density_scale =
            wanted.density_scale || (colour && colour->by_density) || (mode && mode->counts);
        wanted.difference = wanted.difference || (panel && panel->difference);
    }
    return wanted;
}

/* The most of all pictures, so that panels can be compared. */
static enum status find_density(const struct film *film, struct renderer_params *params)
{
    struct view start;
    enum status status = film_view_of_start(&start, film->bodies);
    struct look_found *found = &params->found.look;
    found->fullest = found->densest = 1;
    for (int i = 0; i < film_picture_count(film->scene) && status == STATUS_OK; i++) {
        double fullest, densest;
        status = density_scale_measure(params, i, &start, &fullest, &densest);
        found->fullest = fmax(found->fullest, fullest);
        found->densest = fmax(found->densest, densest);
    }
    free(start.position);
    return status;
}

static double mean_mass(const struct bodies *bodies)
{
    double sum = 0;
    size_t count = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        for (size_t i = component->first;
             component->draw && i < component->first + component->count; i++, count++)
            sum += bodies->mass[i];
    }
    return count > 0 ? sum / (double)count : 0;
}

enum status film_scales(const struct film *film, struct renderer_params *params)
{
    const struct look_params *look = &params->look;
    struct look_found *found = &params->found.look;
    const struct wanted wanted = find_wanted(film->scene);
    enum status status = STATUS_OK;
    found->mean_mass = mean_mass(film->bodies);
    if (look->speed == 0) {
        found->speed = film_speed(film->bodies, 0.95);
        if (found->speed == 0) /* all at rest: any scale will do */
            found->speed = 1;
    }
    if (wanted.difference) {
        found->extent = film_radius(film->bodies, params->camera.target, 0.5);
        if (found->extent == 0)
            found->extent = 1;
    }
    if (wanted.acceleration && look->acceleration == 0)
        status = find_acceleration(film, &found->acceleration);
    if (status == STATUS_OK && wanted.density_scale)
        status = find_density(film, params);
    return status;
}
