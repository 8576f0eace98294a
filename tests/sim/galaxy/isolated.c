/* Prints how a galaxy that is left alone changes: half-mass radius, thickness and bar of its disk,
 * half-mass radius of its bulge, how far either has drifted from the galaxy's centre of mass,
 * 2T/|W|. isolated BACKEND SCENE[:GALAXY] ROTATIONS|t=TIME ROWS KEY=VALUE...: the first galaxy of
 * the scene, or that of the number given, for so many rotations at two scale lengths of its disk or
 * until a time, in so many rows. Run by hand; docs/physics.md has what it printed. */
#include "base/clock.h"
#include "scenes/scene_check.h"
#include "scenes/scene.h"
#include "tests/sim/galaxy/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_row(double time, double rotation, const struct shape *now,
                      const struct shape *first)
{
    printf("%9.3f %6.2f  %8.4f %+7.2f %%  %8.4f %+7.2f %%  %6.3f  %8.4f %+7.2f %%  %8.4f  %7.4f  "
           "%+9.1e\n",
           time, time / rotation, now->disk_radius,
           100 * (now->disk_radius / first->disk_radius - 1), now->disk_height,
           100 * (now->disk_height / first->disk_height - 1), now->bar, now->bulge_radius,
           100 * (now->bulge_radius / first->bulge_radius - 1), now->drift, now->virial,
           now->energy / first->energy - 1);
    fflush(stdout);
}

static enum status run(const char *backend, const struct scene *scene, const char *length, int rows)
{
    struct bodies *bodies = NULL;
    struct simulation *simulation = NULL;
    struct shape first, now;
    struct simulation_params params = scene->simulation;
    const double rotation = shape_rotation(&scene->bodies);
    const double time = strncmp(length, "t=", 2) == 0 ? atof(length + 2) : atof(length) * rotation;
    params.steps_per_frame = (uint32_t)(time / rows / params.dt + 0.5);
    enum status status = bodies_make(&scene->bodies, &bodies);
    if (status == STATUS_OK)
        status = simulation_open(&simulation, &params, backend, 0, bodies);
    if (status == STATUS_OK)
        status = shape_measure(simulation, &first);
    printf("%zu bodies, rotation %.4g, dt %g, softening %g\n", bodies ? bodies->count : 0, rotation,
           params.dt, params.softening);
    for (size_t c = 0; bodies && c < bodies->component_count; c++)
        printf("%s: %zu bodies of mass %.3g\n", bodies->components[c].name,
               bodies->components[c].count, bodies->mass[bodies->components[c].first]);
    printf("%9s %6s  %18s  %18s  %6s  %18s  %8s  %7s  %9s\n", "time", "turns", "disk radius",
           "disk height", "A2", "bulge radius", "drift", "2T/|W|", "energy");
    for (int k = 0; status == STATUS_OK && k <= rows; k++) {
        if (k > 0)
            status = simulation_advance(simulation, (uint64_t)k, NULL);
        if (status == STATUS_OK)
            status = shape_measure(simulation, &now);
        if (status == STATUS_OK)
            print_row(simulation_time(simulation), rotation, &now, &first);
    }
    simulation_close(&simulation);
    bodies_destroy(&bodies);
    return status;
}

int main(int argc, char **argv)
{
    struct scene *scene = NULL;
    if (argc < 5) {
        fprintf(stderr,
                "usage: isolated BACKEND SCENE[:GALAXY] ROTATIONS|t=TIME ROWS KEY=VALUE...\n");
        return EXIT_FAILURE;
    }
    const double start = clock_seconds();
    char *galaxy = strchr(argv[2], ':');
    const int number = galaxy ? atoi(galaxy + 1) : 0;
    if (galaxy)
        *galaxy = '\0';
    enum status status = scene_open(&scene, argv[2]);
    for (int a = 5; status == STATUS_OK && a < argc; a++) {
        const char *key = strtok(argv[a], "="), *value = strtok(NULL, "");
        status = scene_set(scene, key, value ? value : "", "command line");
    }
    if (status == STATUS_OK)
        status = scene_validate(scene);
    if (status == STATUS_OK) {
        const struct galaxy_params first = scene->bodies.galaxies[0];
        const uint32_t all = scene->bodies.galaxy_count;
        scene->bodies.galaxies[0] = scene->bodies.galaxies[number];
        scene->bodies.galaxies[0].inclination = 0;
        scene->bodies.galaxies[0].argument = ARGUMENT_NONE;
        scene->bodies.galaxy_count = 1; /* the others stay the scene's to free */
        status = run(argv[1], scene, argv[3], atoi(argv[4]));
        scene->bodies.galaxies[0] = first;
        scene->bodies.galaxy_count = all;
    }
    if (status != STATUS_OK)
        fprintf(stderr, "%s\n", status_text());
    scene_close(&scene);
    printf("%.1f s\n", clock_seconds() - start);
    return status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
