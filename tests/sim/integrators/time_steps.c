/* Prints the cost and the energy error of adaptive steps, shared or per body: time_steps cpu|cuda
 * shared|own SCENE FRAMES KEY=VALUE... Forces are a tree's. Run by hand. */
#include "base/clock.h"
#include "scenes/scene.h"
#include "sim/diagnostics.h"
#include "sim/integrators/integrator.h"
#include "sim/models/models.h"
#include "sim/gravity/force.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct solver *solver;
    struct adaptive adaptive;
    bool blocks;
    struct bodies *bodies;
    struct diagnostics first;
    double drift, momentum; /* the largest so far */
    double steps, shared;   /* of bodies; as many if all shared the shortest */
    uint64_t made[RUNGS];
    struct force_work spent; /* seconds of all steps that were not undone */
};

static enum status look(struct run *run, bool first)
{
    struct diagnostics now;
    double potential;
    enum status status = run->solver->ops->potential(run->solver, &potential);
    if (status == STATUS_OK)
        status = run->solver->ops->save(run->solver, run->bodies);
    if (status != STATUS_OK)
        return status;
    diagnostics_compute(run->bodies, potential, &now);
    if (first)
        run->first = now;
    double changed = 0, scale = sqrt(2 * run->first.kinetic * run->first.mass);
    for (int c = 0; c < 3; c++)
        changed += pow(now.momentum[c] - run->first.momentum[c], 2);
    run->momentum = fmax(run->momentum, sqrt(changed) / scale);
    run->drift = fmax(run->drift, fabs(now.energy / run->first.energy - 1));
    return STATUS_OK;
}

static enum status advance(struct run *run)
{
    const double count = (double)run->solver->count;
    enum status status = STATUS_OK;
    double finest = 0;
    for (bool done = false; status == STATUS_OK && !done;) {
        uint64_t before = run->adaptive.tick, made[RUNGS] = {0};
        status = run->blocks
                     ? blocks_step(&run->adaptive, run->solver, made, &done)
                     : adaptive_step(&run->adaptive, run->solver, integrator_kdk.step, 1, &done);
        const struct force_work *work = &run->solver->force->work_done;
        run->spent.build_seconds += work->build_seconds;
        run->spent.moment_seconds += work->moment_seconds;
        run->spent.walk_seconds += work->walk_seconds;
        uint64_t passed = (done ? rung_ticks(0) : run->adaptive.tick) - before;
        finest = fmax(finest, (double)rung_ticks(0) / (double)passed);
        for (int k = 0; k < RUNGS; k++) {
            run->made[k] += made[k];
            run->steps += (double)made[k];
        }
        run->steps += run->blocks ? 0 : count;
    }
    run->shared += finest * count;
    return status;
}

static enum status measure(const struct scene *scene, const struct bodies *bodies,
                           const char *backend, int frames, bool blocks)
{
    const struct simulation_params *asked = &scene->simulation;
    const struct solver_params params = {.softening = asked->softening,
                                         .force = &force_tree,
                                         .force_error = asked->force_error,
                                         .keeps = true};
    struct run run = {.blocks = blocks};
    double most;
    run.adaptive =
        (struct adaptive){.eta = asked->adaptive, .frame_time = asked->dt * asked->steps_per_frame};
    softening_range(bodies, asked->softening, &run.adaptive.softening, &most);
    enum status status = bodies_copy(&run.bodies, bodies);
    if (status == STATUS_OK)
        status = solver_open(backend, &params, bodies, &run.solver);
    if (status == STATUS_OK)
        status = run.solver->ops->accelerate(run.solver);
    if (status == STATUS_OK)
        status = look(&run, true);
    const double before = run.solver->force_seconds;
    double seconds = 0, whole = run.solver->interactions;
    for (int f = 0; status == STATUS_OK && f < frames; f++) {
        double start = clock_seconds();
        status = advance(&run);
        seconds += clock_seconds() - start;
        if (status == STATUS_OK)
            status = look(&run, false);
    }
    if (status != STATUS_OK)
        return status;
    const struct force_work *spent = &run.spent;
    printf("%s, %s, eta %g: %.3f s, of them %.3f forces (%.1f build, %.1f moments, %.1f walk), "
           "%.1f evaluations' worth of "
           "interactions in %llu, %.3g steps of bodies (%.3g if shared), energy %.2g %%, "
           "momentum %.1g\n",
           backend, blocks ? "per body" : "shared", asked->adaptive, seconds,
           run.solver->force_seconds - before, spent->build_seconds, spent->moment_seconds,
           spent->walk_seconds, run.solver->interactions / whole,
           (unsigned long long)run.solver->turn, run.steps, run.shared, 100 * run.drift,
           run.momentum);
    for (int k = 0; blocks && k < RUNGS; k++)
        if (run.made[k] > 0)
            printf("  rung %2d: %5.2f %% of the bodies' time\n", k,
                   100 * (double)run.made[k] / frames / ldexp((double)run.solver->count, k));
    fflush(stdout);
    solver_close(&run.solver);
    bodies_destroy(&run.bodies);
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    struct scene *scene = NULL;
    struct bodies *bodies = NULL;
    if (argc < 5) {
        fprintf(stderr, "usage: time_steps cpu|cuda shared|own SCENE FRAMES KEY=VALUE...\n");
        return EXIT_FAILURE;
    }
    enum status status = scene_open(&scene, argv[3]);
    for (int a = 5; status == STATUS_OK && a < argc; a++) {
        const char *key = strtok(argv[a], "="), *value = strtok(NULL, "");
        status = scene_set(scene, key, value ? value : "", "command line");
    }
    if (status == STATUS_OK)
        status = bodies_make(&scene->bodies, &bodies);
    if (status == STATUS_OK)
        status = measure(scene, bodies, argv[1], atoi(argv[4]), strcmp(argv[2], "own") == 0);
    if (status != STATUS_OK)
        fprintf(stderr, "%s\n", status_text());
    bodies_destroy(&bodies);
    scene_close(&scene);
    return status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
