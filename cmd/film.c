#include "cmd/film.h"

#include "base/file.h"
#include "base/log.h"
#include "render/camera.h"
#include "render/colour.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float palette[][3] = {
    {0.35f, 0.60f, 1.00f}, {1.00f, 0.62f, 0.30f}, {0.55f, 1.00f, 0.55f}, {1.00f, 0.45f, 0.75f}};

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

static const char *tinted_by(const struct component *component, enum colour_tint tint)
{
    return tint == TINT_COMPONENT ? component->name : component->galaxy;
}

/* Groups of bodies that are drawn alike: the drawn components, tinted by galaxy or by name. */
static int draw_groups(const struct bodies *bodies, enum colour_tint tint,
                       struct draw_group *groups)
{
    enum { COLOURS = sizeof palette / sizeof palette[0] };
    int count = 0;
    size_t known = 0;
    const char *names[COLOURS];
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const char *name = tinted_by(component, tint);
        size_t place = 0;
        while (place < known && strcmp(names[place], name) != 0)
            place++;
        if (place == known && known < COLOURS)
            names[known++] = name;
        if (!component->draw || component->count == 0)
            continue;
        struct draw_group *group = &groups[count++];
        *group = (struct draw_group){.first = component->first,
                                     .count = component->count,
                                     .light = (float)component->light,
                                     .name = name};
        memcpy(group->tint, palette[place % COLOURS], sizeof group->tint);
    }
    return count;
}

/* Nearly the strongest of the drawn bodies' accelerations: a single close pair counts for nothing.
 */
static enum status find_acceleration(struct film *film, double *out)
{
    static const double none[3] = {0, 0, 0};
    double(*values)[3] = malloc(film->bodies->count * sizeof *values);
    if (!values)
        return status_fail(STATUS_RUNTIME, "no memory left for the accelerations of %zu bodies",
                           film->bodies->count);
    enum status status = simulation_accelerations(film->simulation, values);
    if (status == STATUS_OK)
        *out = percentile(film->bodies, values, none, 0.98);
    free(values);
    if (*out == 0) /* a body alone: any scale will do */
        *out = 1;
    return status;
}

static enum status open_renderer(struct film *film, enum picture_format format, int cuda_device)
{
    const struct scene *scene = film->scene;
    struct renderer_params params = {
        .width = scene->output.width,
        .height = scene->output.height,
        .format = format,
        .camera = scene->camera,
        .look = scene->look,
        .overlay = scene->overlay,
        .labels = {.title = scene->output.title,
                   .length_kpc = scene->units.length_kpc,
                   .time_myr = scene->units.time_myr,
                   .velocity_kms = scene->units.velocity_kms,
                   .duration = scene->simulation.dt * scene->simulation.steps_per_frame *
                               (double)(scene->output.frames - 1),
                   .fps = (double)scene->output.fps_num / scene->output.fps_den},
        .count = film->bodies->count,
        .frames = scene->output.frames,
        .cuda_device = cuda_device,
    };
    if (params.camera.distance == 0) {
        double radius = film_radius(film->bodies, params.camera.target, 0.99);
        params.camera.distance =
            camera_fit(&params.camera, radius > 0 ? 1.1 * radius : 1, params.width, params.height);
    }
    if (params.look.speed == 0) {
        params.look.speed = film_speed(film->bodies, 0.95);
        if (params.look.speed == 0) /* all at rest: any scale will do */
            params.look.speed = 1;
    }
    const struct colour *colour = colour_find(params.look.color);
    if (colour && colour->by_acceleration && params.look.acceleration == 0) {
        enum status status = find_acceleration(film, &params.look.acceleration);
        if (status != STATUS_OK)
            return status;
    }
    struct draw_group *groups = calloc(film->bodies->component_count, sizeof *groups);
    if (!groups)
        return status_fail(STATUS_RUNTIME, "no memory left for %zu components",
                           film->bodies->component_count);
    params.groups = groups;
    params.group_count = draw_groups(film->bodies, colour ? colour->tint : TINT_NONE, groups);
    if (params.group_count == 0)
        log_warning("no component of the bodies is drawn, so the film will be black; see "
                    "bodies.use and the "
                    "components' `draw`");
    enum status status = renderer_open(&film->renderer, &params);
    free(groups);
    return status;
}

enum status film_find_bodies(const struct scene *scene, const char *name)
{
    const char *file = scene->bodies.file, *folders = getenv("GRAVREEL_DATA");
    if (strcmp(scene->bodies.model, "file") != 0 || !*file || *file == '/' || file_exists(file))
        return STATUS_OK;
    char advice[256] = "put it there";
    for (const struct scene_builtin *builtin = scene_builtins; builtin->name; builtin++)
        if (strcmp(builtin->name, name) == 0)
            snprintf(advice, sizeof advice, "`gravreel scenes %s` says where it comes from", name);
    return status_fail(STATUS_IO,
                       "the bodies file '%s' is neither beside the scene nor in the current folder "
                       "nor in a folder of $GRAVREEL_DATA (%s); %s, or name a file with "
                       "--bodies-from",
                       file, folders && *folders ? folders : "not set", advice);
}

enum status film_open(struct film *film, const struct scene *scene, const char *backend, int device,
                      enum picture_format format)
{
    *film = (struct film){.scene = scene};
    enum status status = bodies_make(&scene->bodies, &film->bodies);
    if (status == STATUS_OK)
        status =
            simulation_open(&film->simulation, &scene->simulation, backend, device, film->bodies);
    if (status == STATUS_OK && scene->overlay.energy)
        status = simulation_record_energy(film->simulation, scene->output.frames);
    if (status == STATUS_OK) {
        bool on_cuda = simulation_solver(film->simulation)->ops == &solver_cuda;
        status = open_renderer(film, format, on_cuda ? device : -1);
    }
    if (status != STATUS_OK)
        film_close(film);
    return status;
}

void film_close(struct film *film)
{
    renderer_close(&film->renderer);
    simulation_close(&film->simulation);
    bodies_destroy(&film->bodies);
}
