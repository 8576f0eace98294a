#include "cmd/film/start/scales.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/sort.h"
#include "render/camera/camera.h"
#include "render/colour/colour.h"
#include "render/density/density.h"
#include "render/panel/places.h"
#include "render/sprites/modes.h"
#include "sim/simulation.h"
#include "sim/bodies/bodies_whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest difference shown, in half-mass radii. */
static const double largest = 10;

/* A high percentile of the drawn bodies' accelerations, so that a single close pair does not
 * matter. */
static enum status find_acceleration(struct start *start, struct simulation *simulation,
                                     double *out)
{
    const size_t count = start->bodies->count, bytes = (count + 1) * sizeof(double[3]);
    double(*vectors)[3] = malloc(bytes);
    if (!vectors)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for the accelerations of %zu bodies, which take %zu "
                           "bytes",
                           count, bytes);
    enum status status = simulation_accelerations(simulation, vectors);
    if (status == STATUS_OK)
        status = start_length(start, vectors, 0.98, out);
    free(vectors);
    if (*out == 0) /* a single body: any scale will do */
        *out = 1;
    return status;
}

/* The scales that the film's pictures use. */
struct shown {
    bool acceleration, density, difference;
};

static struct shown find_shown(const struct look_params *look)
{
    struct shown shown = {0};
    for (int i = 0; i < look_pictures(look); i++) {
        const struct look_params own = look_of_picture(look, i);
        shown.acceleration |= colour_uses(own.color, COLUMN_ACCELERATION);
        shown.density |= own.color->by_density || own.mode->counts;
        shown.difference |= look->panel_count > 0 && look->panels[i].difference;
    }
    return shown;
}

static enum status aim_at(const struct renderer_params *params, int picture,
                          const struct view *view, struct camera_aim *aim)
{
    struct camera *camera;
    enum status status = camera_open_picture(&camera, params, picture);
    if (status == STATUS_OK)
        camera_aim(camera, view, aim);
    camera_close(&camera);
    return status;
}

/* The maximum over all pictures. */
static enum status find_density(struct renderer_params *params, const struct view *view)
{
    struct look_found *found = &params->found.look;
    struct panel_place places[PANELS_MAX];
    int count;
    found->fullest = found->densest = 1;
    enum status status = panel_places(params, places, &count);
    for (int i = 0; i < look_pictures(&params->look) && status == STATUS_OK; i++) {
        struct density_picture picture = {.sum = &params->sum,
                                          .groups = params->groups,
                                          .group_count = params->group_count,
                                          .cells = params->look.cells,
                                          .width = places[i].whole_width,
                                          .height = places[i].whole_height,
                                          .whole_sphere = places[i].whole_sphere,
                                          .dome = places[i].dome};
        double fullest, densest;
        status = aim_at(params, i, view, &picture.aim);
        if (picture.dome > 0)
            camera_aim_lean(&picture.aim, camera_dome_lean_at(params, 0));
        if (status == STATUS_OK)
            status = density_scale_measure(&picture, view, &fullest, &densest);
        if (status != STATUS_OK)
            break;
        found->fullest = fmax(found->fullest, fullest);
        found->densest = fmax(found->densest, densest);
    }
    return status;
}

/* The factor from comoving velocities at frame 0 to peculiar velocities at the end of the film.
 * Peculiar velocities grow as the square root of the scale factor while structures are small
 * (Peebles 1993, sect. 5). */
static double growth_of_speeds(const struct found *found)
{
    const struct universe_found *universe = &found->universe;
    const struct cosmology *cosmology = &universe->cosmology;
    if (!universe->comoving)
        return 1;
    const double first = universe->age, last = universe->age + found->duration;
    return sqrt(cosmology_scale_at(cosmology, first) * cosmology_scale_at(cosmology, last));
}

enum status scales_find(struct renderer_params *params, struct start *start,
                        struct simulation *simulation)
{
    const struct look_params *look = &params->look;
    struct look_found *found = &params->found.look;
    const struct shown shown = find_shown(look);
    const bool near = look_needs_column(look, COLUMN_DISTANCE);
    double half = 0;
    enum status status = start_mean_mass(start, &found->mean_mass);
    if (status == STATUS_OK && look->speed == 0) {
        status = start_speed(start, 0.95, &found->speed);
        found->speed *= growth_of_speeds(&params->found);
        if (found->speed == 0) /* all at rest: any scale will do */
            found->speed = 1;
    }
    if (status == STATUS_OK && (near || shown.difference))
        status = start_radius(start, params->camera.target, 0.5, &half);
    if (near)
        found->spacing = half / sqrt((double)whole_size(bodies_whole(start->bodies)));
    if (shown.difference) {
        /* In the end bodies can be on opposite sides, or far out. */
        found->extent = half > 0 ? largest * half : 1;
    }
    if (status == STATUS_OK && shown.acceleration && look->acceleration == 0)
        status = find_acceleration(start, simulation, &found->acceleration);
    if (status == STATUS_OK && shown.density)
        status = find_density(params, &start->view);
    return status;
}

/* ==== measurements ==== */

static const double origin[3];

enum status start_open(struct start *out, const struct bodies *bodies)
{
    const size_t count = bodies->count;
    *out = (struct start){.bodies = bodies,
                          .view = {.memory = VIEW_HOST, .device = -1, .count = count},
                          .lengths = malloc((count + 1) * sizeof *out->lengths)};
    float *position = out->view.position = malloc((count + 1) * sizeof(float[4]));
    float *velocity = out->view.velocity = malloc((count + 1) * sizeof(float[4]));
    if (!position || !velocity || !out->lengths) {
        start_close(out);
        return status_fail(
            STATUS_RUNTIME,
            "no memory left to measure %zu bodies at the start, which takes %zu bytes", count,
            count * (sizeof *out->lengths + 2 * sizeof(float[4])));
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < 3; c++) {
            position[4 * i + c] = (float)bodies->position[i][c];
            velocity[4 * i + c] = (float)bodies->velocity[i][c];
        }
        velocity[4 * i + 3] = 0;
        position[4 * i + 3] = (float)bodies->mass[i];
    }
    if (!bodies->shared)
        return STATUS_OK;
    const size_t whole = whole_size(bodies_whole(bodies)), stride = view_sample_stride(whole);
    out->view.whole = whole;
    out->view.whole_sample = memory_new((whole + stride - 1) / stride, 2 * sizeof(float[4]));
    const enum status status =
        whole_sample(bodies, position, velocity, stride, out->view.whole_sample);
    if (status != STATUS_OK)
        start_close(out);
    return status;
}

void start_close(struct start *start)
{
    free(start->view.position);
    free(start->view.velocity);
    free(start->view.whole_sample);
    free(start->lengths);
    *start = (struct start){0};
}

static enum status percentile(struct start *start, double (*vectors)[3], const double from[3],
                              double fraction, double *out)
{
    const struct bodies *bodies = start->bodies;
    size_t used = 0;
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1))
        start->lengths[used++] = fn_hypot(
            fn_hypot(vectors[i][0] - from[0], vectors[i][1] - from[1]), vectors[i][2] - from[2]);
    sort_doubles(start->lengths, used);
    return whole_percentile(bodies, start->lengths, used, fraction, false, out);
}

enum status start_radius(struct start *start, const double target[3], double fraction, double *out)
{
    return percentile(start, start->bodies->position, target, fraction, out);
}

enum status start_speed(struct start *start, double fraction, double *out)
{
    return start_length(start, start->bodies->velocity, fraction, out);
}

enum status start_length(struct start *start, double (*vectors)[3], double fraction, double *out)
{
    return percentile(start, vectors, origin, fraction, out);
}

static void add_masses(const void *user, const struct bodies *bodies, size_t first, size_t count,
                       double *sum)
{
    (void)user;
    for (size_t i = first; i < first + count; i++)
        *sum += bodies->mass[i];
}

enum status start_mean_mass(const struct start *start, double *out)
{
    const struct bodies *bodies = start->bodies;
    double mass = 0, count = 0;
    enum status status = STATUS_OK;
    for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++) {
        if (!bodies->components[c].draw)
            continue;
        status = whole_continue(bodies, c, add_masses, NULL, &mass, 1);
        count += (double)component_whole(&bodies->components[c]);
    }
    *out = count > 0 ? mass / count : 0;
    return status;
}

/* ==== a camera within a body ==== */

/* The first body that a point is within. */
struct within {
    uint64_t number; /* from 1 on; 0: none */
    double away, size;
    char part[BODIES_NAME_MAX];
};

static struct within find_within(const struct bodies *bodies, const struct scene *scene,
                                 const double eye[3])
{
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *part = &bodies->components[c];
        const double softening =
            part->softening > 0 ? part->softening : scene->simulation.softening;
        const double size = fmax(softening, scene->look.radius);
        for (size_t i = part->first; part->draw && i < part->first + part->count; i++) {
            const double *x = bodies->position[i];
            const double away = fn_hypot(fn_hypot(x[0] - eye[0], x[1] - eye[1]), x[2] - eye[2]);
            if (away > size)
                continue;
            struct within found = {whole_number(bodies, i) + 1, away, size, ""};
            memcpy(found.part, part->name, sizeof found.part);
            return found;
        }
    }
    return (struct within){0};
}

enum status start_check_eye(const struct start *start, const struct scene *scene,
                            const double eye[3])
{
    struct within first = find_within(start->bodies, scene, eye);
    struct within *all = memory_new((size_t)ranks_count(), sizeof *all);
    enum status status = STATUS_OK;
    if (start->bodies->shared)
        status = ranks_gather_each(&first, all, sizeof first);
    for (int r = 0; r < ranks_count(); r++)
        if (all[r].number > 0 && (first.number == 0 || all[r].number < first.number))
            first = all[r];
    free(all);
    if (status != STATUS_OK || first.number == 0)
        return status;
    return status_fail(STATUS_USAGE,
                       "%s puts the camera at [%.6g, %.6g, %.6g] at the start, %.3g from body %llu "
                       "of %s, which is %.3g in size; move it outside of the bodies",
                       scene->camera.keyframe_count > 0 ? "camera.keyframes" : "camera.distance",
                       eye[0], eye[1], eye[2], first.away, (unsigned long long)first.number,
                       first.part, first.size);
}
