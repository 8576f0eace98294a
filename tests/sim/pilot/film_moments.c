/* Prints when the galaxies of scenes meet and merge, as a pilot run says before the film and as the
 * film's own bodies say afterwards, in frames. film_moments BACKEND BODIES SCENE...; BODIES 0: the
 * scenes' own numbers. Run by hand. */
#include "scenes/check.h"
#include "scenes/scene.h"
#include "sim/models/make.h"
#include "sim/pilot/galaxy_core.h"
#include "sim/pilot/pilot.h"
#include "sim/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COMPONENTS = 64 };
static const double noise_share = 0.1; /* as sim/pilot/pilot.c */

static double away(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static enum status follow(const struct scene *scene, const char *backend,
                          const struct bodies *bodies, struct encounter *out)
{
    const size_t frames = scene->output.frames;
    struct simulation *simulation = NULL;
    struct galaxy_core *core[2] = {NULL, NULL};
    double *separation = calloc(frames, sizeof *separation), touch = 0;
    size_t first[COMPONENTS];
    enum status status = STATUS_OK;
    if (bodies->component_count > COMPONENTS || galaxies_find(bodies, first) < 2)
        status = status_fail(STATUS_USAGE, "the scene does not have two galaxies");
    for (int g = 0; g < 2 && status == STATUS_OK; g++) {
        status = galaxy_core_open(&core[g], bodies, first[g]);
        if (status == STATUS_OK)
            touch += galaxy_core_radius(core[g]);
    }
    if (status == STATUS_OK)
        status = simulation_open(&simulation, &scene->simulation, backend, 0, bodies);
    for (size_t f = 0; f < frames && status == STATUS_OK; f++) {
        const struct bodies *now;
        double centre[2][3];
        status = simulation_advance(simulation, f, NULL);
        if (status == STATUS_OK)
            status = simulation_bodies(simulation, &now);
        if (status != STATUS_OK)
            break;
        for (int g = 0; g < 2; g++)
            galaxy_core_find(core[g], now, centre[g]);
        separation[f] = away(centre[0], centre[1]);
    }
    if (status == STATUS_OK) /* in frames */
        encounter_find(frames, separation, 1, noise_share * touch, touch, out);
    simulation_close(&simulation);
    galaxy_core_close(&core[0]);
    galaxy_core_close(&core[1]);
    free(separation);
    return status;
}

static enum status foresee(const struct scene *scene, const char *backend,
                           const struct bodies *bodies, bool detailed, struct encounter *out)
{
    const double frame = scene->simulation.dt * scene->simulation.steps_per_frame;
    const struct pilot_params params = {
        .simulation = &scene->simulation,
        .duration = frame * (double)(scene->output.frames - 1),
        .frames = scene->output.frames,
        .detailed = detailed,
        .backend = backend,
    };
    struct pilot *pilot = NULL;
    enum status status = pilot_run(&pilot, &params, bodies);
    if (status == STATUS_OK) {
        *out = pilot->happened;
        for (size_t k = 0; k < out->pericentre_count && k < ENCOUNTER_MAX; k++)
            out->pericentre[k].time /= frame;
        out->merger.time /= frame;
    }
    pilot_close(&pilot);
    return status;
}

static enum status judge(const char *name, const char *backend, uint64_t count)
{
    struct scene *scene = NULL;
    struct bodies *bodies = NULL;
    struct encounter before, late, film;
    enum status status = scene_open(&scene, name);
    if (status == STATUS_OK && count > 0)
        scene->bodies.count = count;
    if (status == STATUS_OK)
        status = scene_validate(scene);
    if (status == STATUS_OK)
        status = bodies_make(&scene->bodies, &bodies);
    if (status == STATUS_OK)
        status = foresee(scene, backend, bodies, false, &before);
    if (status == STATUS_OK)
        status = foresee(scene, backend, bodies, true, &late);
    if (status == STATUS_OK)
        status = follow(scene, backend, bodies, &film);
    if (status == STATUS_OK) {
        const double frame = scene->simulation.dt * scene->simulation.steps_per_frame;
        printf("%-20s %7zu  pericentre %7.2f %7.2f  at t %7.2f, %6.2f apart", name, bodies->count,
               before.pericentre_count ? before.pericentre[0].time : NAN,
               film.pericentre_count ? film.pericentre[0].time : NAN,
               film.pericentre_count ? film.pericentre[0].time * frame : NAN,
               film.pericentre_count ? film.pericentre[0].separation : NAN);
        printf("  merger %7.2f %7.2f at t %7.2f\n", late.merges ? late.merger.time : NAN,
               film.merges ? film.merger.time : NAN, film.merges ? film.merger.time * frame : NAN);
        fflush(stdout);
    }
    bodies_destroy(&bodies);
    scene_close(&scene);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: film_moments BACKEND BODIES SCENE...\n");
        return EXIT_FAILURE;
    }
    enum status status = STATUS_OK;
    for (int i = 3; i < argc; i++) {
        status = judge(argv[i], argv[1], strtoull(argv[2], NULL, 10));
        if (status != STATUS_OK)
            fprintf(stderr, "%s: %s\n", argv[i], status_text());
    }
    return status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
