/* Prints how two force modes carry two galaxies through the same encounter: separation of the
 * cores, half-mass radii, energy, momenta. compare_forces BACKEND FORCE OTHER SCENE FRAMES EVERY
 * KEY=VALUE... Run by hand. */
#include "base/clock.h"
#include "scenes/scene.h"
#include "sim/diagnostics.h"
#include "sim/models/models.h"
#include "sim/pilot/galaxy_core.h"
#include "sim/simulation.h"
#include "tests/support/choose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENTS = 16 };

struct run {
    struct simulation *simulation;
    struct galaxy_core *core[2];
    struct diagnostics first, now;
    double separation, radius[COMPONENTS];
    double push, turn; /* sums of |m v| and |m x cross v| at the start */
    double seconds;
};

static double length(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static enum status look(struct run *run)
{
    const struct bodies *bodies;
    double centre[2][3];
    enum status status = simulation_diagnose(run->simulation, &run->now);
    if (status == STATUS_OK)
        status = simulation_half_mass(run->simulation, run->radius);
    if (status == STATUS_OK)
        status = simulation_bodies(run->simulation, &bodies);
    if (status != STATUS_OK)
        return status;
    for (int g = 0; g < 2; g++)
        galaxy_core_find(run->core[g], bodies, centre[g]);
    run->separation = length(centre[0], centre[1]);
    return STATUS_OK;
}

static enum status run_open(struct run *run, const char *backend, const char *force,
                            const struct scene *scene, const struct bodies *bodies)
{
    struct simulation_params params = scene->simulation;
    size_t first[COMPONENTS];
    params.force = choose(&force_registry, force);
    if (bodies->component_count > COMPONENTS || galaxies_find(bodies, first) != 2)
        return status_fail(STATUS_USAGE, "the scene does not have two galaxies");
    enum status status = simulation_open(&run->simulation, &params, backend, 0, bodies);
    for (int g = 0; status == STATUS_OK && g < 2; g++)
        status = galaxy_core_open(&run->core[g], bodies, first[g]);
    if (status == STATUS_OK)
        status = look(run);
    run->first = run->now;
    for (size_t i = 0; i < bodies->count; i++) {
        const double *x = bodies->position[i], *v = bodies->velocity[i], none[3] = {0};
        const double spin[3] = {x[1] * v[2] - x[2] * v[1], x[2] * v[0] - x[0] * v[2],
                                x[0] * v[1] - x[1] * v[0]};
        run->push += bodies->mass[i] * length(v, none);
        run->turn += bodies->mass[i] * length(spin, none);
    }
    return status;
}

static void print_row(struct run runs[2], const struct bodies *bodies)
{
    double apart = 0;
    const struct component *most = bodies->components;
    for (size_t c = 0; c < bodies->component_count; c++) {
        const double own = fabs(runs[0].radius[c] / runs[1].radius[c] - 1);
        if (own > apart)
            most = bodies->components + c;
        apart = fmax(apart, own);
    }
    printf("%8.3f  %8.4f %8.4f %7.3f %%  %7.3f %% %-6.6s", simulation_time(runs[0].simulation),
           runs[0].separation, runs[1].separation,
           100 * fabs(runs[0].separation / runs[1].separation - 1), 100 * apart, most->name);
    for (int r = 0; r < 2; r++)
        printf("  %8.4f %% %8.1e %8.1e",
               100 * (runs[r].now.energy - runs[r].first.energy) / fabs(runs[r].first.energy),
               length(runs[r].now.momentum, runs[r].first.momentum) / runs[r].push,
               length(runs[r].now.angular_momentum, runs[r].first.angular_momentum) / runs[r].turn);
    printf("\n");
    fflush(stdout);
}

static enum status compare(const char *const argv[], const struct scene *scene,
                           const struct bodies *bodies)
{
    struct run runs[2] = {0};
    const int frames = atoi(argv[5]), every = atoi(argv[6]);
    enum status status = STATUS_OK;
    for (int r = 0; status == STATUS_OK && r < 2; r++)
        status = run_open(&runs[r], argv[1], argv[2 + r], scene, bodies);
    printf("%8s  %8s %8s %9s  %9s %6s  %s: %8s %8s %8s  %s\n", "time", argv[2], argv[3], "apart",
           "radii", "", argv[2], "energy", "momentum", "angular", argv[3]);
    for (int f = 0; status == STATUS_OK && f < frames; f += every) {
        print_row(runs, bodies);
        for (int r = 0; status == STATUS_OK && r < 2; r++) {
            const double start = clock_seconds();
            for (int k = 0; status == STATUS_OK && k < every; k++)
                status = simulation_advance(runs[r].simulation, (uint64_t)(f + k + 1), NULL);
            runs[r].seconds += clock_seconds() - start;
            if (status == STATUS_OK)
                status = look(&runs[r]);
        }
    }
    if (status == STATUS_OK) {
        print_row(runs, bodies);
        printf("%s %.1f s, %s %.1f s\n", argv[2], runs[0].seconds, argv[3], runs[1].seconds);
    }
    for (int r = 0; r < 2; r++) {
        for (int g = 0; g < 2; g++)
            galaxy_core_close(&runs[r].core[g]);
        simulation_close(&runs[r].simulation);
    }
    return status;
}

int main(int argc, char **argv)
{
    struct scene *scene = NULL;
    struct bodies *bodies = NULL;
    if (argc < 7) {
        fprintf(stderr,
                "usage: compare_forces BACKEND FORCE OTHER SCENE FRAMES EVERY KEY=VALUE...\n");
        return EXIT_FAILURE;
    }
    enum status status = scene_open(&scene, argv[4]);
    for (int a = 7; status == STATUS_OK && a < argc; a++) {
        const char *key = strtok(argv[a], "="), *value = strtok(NULL, "");
        status = scene_set(scene, key, value ? value : "", "command line");
    }
    if (status == STATUS_OK)
        status = bodies_make(&scene->bodies, &bodies);
    if (status == STATUS_OK)
        status = compare((const char *const *)argv, scene, bodies);
    if (status != STATUS_OK)
        fprintf(stderr, "%s\n", status_text());
    bodies_destroy(&bodies);
    scene_close(&scene);
    return status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
