#include "cmd/command.h"

#include "base/log.h"
#include "base/memory.h"
#include "cmd/cli/arguments.h"

#include "cmd/film/film.h"
#include "cmd/film/propose.h"
#include "cmd/film/tags.h"
#include "cmd/cli/progress.h"
#include "cmd/cli/scene_args.h"
#include "render/reader/film_info.h"
#include "scenes/faults.h"
#include "scenes/scene.h"
#include "sim/diagnostics.h"
#include "sim/models/make.h"
#include "sim/solver/pairs.h"
#include "sim/solver/solver.h"

#include <argp.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SOFTENING = 256 };

/* Summed in a few seconds on two processors. */
static const double PAIRS_QUICK = 4e10;

struct info_options {
    const char *name;
    double softening;
};

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    struct info_options *options = state->input;
    char *end;
    switch (key) {
    case KEY_SOFTENING:
        options->softening = strtod(argument, &end);
        if (*end || end == argument || !(options->softening > 0) || !isfinite(options->softening))
            argp_error(state, "--softening: expected a number above 0, found '%s'", argument);
        return 0;
    case ARGP_KEY_ARG:
        if (options->name)
            argp_error(state, "expected one file, found '%s' and '%s'", options->name, argument);
        options->name = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no file given; name a bodies file, a scene or a film");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_component(const struct bodies *bodies, const struct component *component)
{
    double mass = 0, low[3] = {INFINITY, INFINITY, INFINITY},
           high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = component->first; i < component->first + component->count; i++) {
        mass += bodies->mass[i];
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], bodies->position[i][k]);
            high[k] = fmax(high[k], bodies->position[i][k]);
        }
    }
    char softening[48] = "";
    if (component->softening != 0)
        snprintf(softening, sizeof softening, "  softening %g", component->softening);
    printf("  %-14s %-10s %9zu bodies, mass %-10.6g x %.4g..%.4g  y %.4g..%.4g  z %.4g..%.4g%s%s\n",
           *component->galaxy ? component->galaxy : "-", component->name, component->count, mass,
           low[0], high[0], low[1], high[1], low[2], high[2], softening,
           component->draw ? "" : "  (not drawn)");
}

static void print_units(const struct units_params *units)
{
    if (!(units->length_kpc > 0 || units->time_myr > 0))
        return;
    printf("units:      G = 1");
    if (units->length_kpc > 0)
        printf(", length %.6g kpc", units->length_kpc);
    if (units->time_myr > 0)
        printf(", time %.6g Myr", units->time_myr);
    if (units->velocity_kms > 0)
        printf(", velocity %.6g km/s", units->velocity_kms);
    if (units->mass_msun > 0)
        printf(", mass %.6g solar masses", units->mass_msun);
    printf("\n");
}

static enum status find_potential(const struct bodies *bodies, double softening, double *potential)
{
    const struct solver_params params = {.softening = softening, .force = &force_double};
    struct solver *solver = NULL;
    enum status status = solver_open("auto", &params, bodies, &solver);
    if (status == STATUS_OK)
        status = solver->ops->potential(solver, potential);
    solver_close(&solver);
    return status;
}

/* The potential takes long, so all else comes first. */
static enum status print_bodies(const struct bodies *bodies, double softening)
{
    struct diagnostics d;
    double potential = 0;
    diagnostics_compute(bodies, potential, &d);
    printf("bodies:     %zu, mass %.9g\n", bodies->count, d.mass);
    for (size_t c = 0; c < bodies->component_count; c++)
        print_component(bodies, &bodies->components[c]);
    fflush(stdout);
    if ((double)bodies->count * (double)bodies->count > PAIRS_QUICK)
        log_info(
            "summing the potential energy of %.2g pairs in double precision, which takes minutes "
            "on processors",
            0.5 * (double)bodies->count * (double)bodies->count);
    enum status status = find_potential(bodies, softening, &potential);
    if (status != STATUS_OK)
        return status;
    diagnostics_compute(bodies, potential, &d);
    printf("centre:     %.6g %.6g %.6g, momentum %.6g %.6g %.6g\n", d.centre[0], d.centre[1],
           d.centre[2], d.momentum[0], d.momentum[1], d.momentum[2]);
    printf(
        "energy:     kinetic %.9g, potential %.9g (softening %g), total %.9g, virial ratio %.4g\n",
        d.kinetic, d.potential, softening, d.energy, d.virial);
    printf("angular momentum: %.8g %.8g %.8g\n", d.angular_momentum[0], d.angular_momentum[1],
           d.angular_momentum[2]);
    return STATUS_OK;
}

/* `softening` replaces the scene's unless it is 0. */
static enum status describe_bodies(const struct bodies_params *params, const struct scene *scene,
                                   double softening)
{
    struct bodies *bodies;
    enum status status = bodies_make(params, &bodies);
    if (status == STATUS_OK)
        status = print_bodies(bodies, softening > 0 ? softening : scene->simulation.softening);
    bodies_destroy(&bodies);
    return status;
}

/* All sentences but the last are messages; the last one is the command's own. */
static void take_fault(void *user, const char *sentence)
{
    char **last = user;
    if (*last)
        log_error("%s", *last);
    free(*last);
    *last = memory_text(sentence);
}

/* The scene, or everything that is wrong with it. */
static enum status open_scene(struct scene **out, const char *name)
{
    char *last = NULL;
    const struct fault_taker taker = {take_fault, &last};
    enum status status = scene_open_faults(out, name, &taker);
    if (*out)
        script_faults(*out, &taker);
    if (last)
        status = status_fail(status == STATUS_OK ? STATUS_USAGE : status, "%s", last);
    free(last);
    return status;
}

static enum status scene_info(const struct info_options *options)
{
    struct scene *scene;
    enum status status = open_scene(&scene, options->name);
    if (status == STATUS_OK)
        status = film_find_bodies(scene, options->name);
    if (status == STATUS_OK && propose_is_needed(scene))
        status = propose_for_file(scene);
    if (status == STATUS_OK) {
        printf("scene:      %s\n", *scene->output.title ? scene->output.title : options->name);
        const struct output_params *output = &scene->output;
        char fps[32];
        snprintf(fps, sizeof fps, output->fps.den == 1 ? "%u%.0u" : "%u/%u", output->fps.num,
                 output->fps.den == 1 ? 0 : output->fps.den);
        printf("film:       %llu frames, %ux%u, %s frames per second; %u steps of %g per frame\n",
               (unsigned long long)output->frames, output->size.width, output->size.height, fps,
               scene->simulation.steps_per_frame, scene->simulation.dt);
        print_units(&scene->units);
        status = describe_bodies(&scene->bodies, scene, options->softening);
    }
    scene_close(&scene);
    return status;
}

static enum status film_file_info(const char *path)
{
    struct film_info info;
    enum status status = film_info_read(path, &info);
    if (status != STATUS_OK)
        return status;
    char size[32];
    progress_bytes(info.bytes, size, sizeof size);
    printf("film:       %s, %s, %ux%u, %llu frames", info.container->name, info.codec, info.width,
           info.height, (unsigned long long)info.frames);
    if (info.fps_den)
        printf(", %.6g frames per second", (double)info.fps_num / info.fps_den);
    printf(", %.3f s, %s\n", info.duration, size);
    const char *scene = tags_find(&info.tags, FILM_TAG_SCENE);
    for (size_t i = 0; i < info.tags.count; i++)
        if (info.tags.list[i].value != scene)
            printf("%s: %s\n", info.tags.list[i].name, info.tags.list[i].value);
    if (scene)
        printf("scene, as YAML that renders this film again:\n%s", scene);
    film_info_free(&info);
    return status;
}

/* As the model "file" loads it: all rows, unscaled. */
static enum status bodies_file_info(const struct info_options *options)
{
    struct scene *scene;
    enum status status = scene_parse(&scene, "bodies: {model: file}\n", "info");
    if (status == STATUS_OK) {
        struct bodies_params params = scene->bodies;
        params.file = (char *)options->name;
        params.count = 0;
        status = describe_bodies(&params, scene, options->softening);
    }
    scene_close(&scene);
    return status;
}

static int run_info(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"softening", KEY_SOFTENING, "EPS", 0,
         "Softening of the potential energy (default: the scene's)", 0},
        {0},
    };
    static const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .args_doc = "FILE",
        .doc = "Describes a bodies file, a scene (built-in name or YAML) or a film by gravreel. Of "
               "a scene "
               "that has faults it tells all of them at once.\v"
               "Examples:\n"
               "  gravreel info film.mp4\n"
               "  gravreel info plummer",
    };
    struct info_options options = {0};
    enum status status = arguments_parse(&argp, "info", argc, argv, &options);
    if (status != STATUS_OK)
        return (int)status;
    if (scene_is_named(options.name))
        return (int)scene_info(&options);
    return (int)(film_info_is_film(options.name) ? film_file_info(options.name)
                                                 : bodies_file_info(&options));
}

const struct command command_info = {
    .name = "info",
    .doc = "describe a bodies file, a scene or a film",
    .run = run_info,
};
