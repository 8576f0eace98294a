/* Times evaluations on ranks, or by threads if started alone: time_ranks [BODIES [STEPS [FORCE
 * [ERROR [BACKEND [SCENE]]]]]], the bodies of two galaxies or of another scene. */
#include "base/clock.h"
#include "base/hash.h"
#include "base/ranks/ranks.h"
#include "scenes/scene.h"
#include "sim/models/models.h"
#include "sim/ranks/rank_solver.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const phases[PHASES] = {"frame", "sort",  "top",   "fill",
                                           "ask",   "trade", "build", "walk"};

static int fail(void)
{
    fprintf(stderr, "time_ranks: %s\n", status_text());
    return 1;
}

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

static int time_steps(int argc, char **argv)
{
    enum { STEPS_MOST = 64 };
    const size_t bodies_asked = argc > 1 ? strtoull(argv[1], NULL, 10) : 65536;
    const int steps = argc > 2 ? atoi(argv[2]) : 10;
    const char *force = argc > 3 ? argv[3] : "tree-exact";
    const char *backend = argc > 5 ? argv[5] : "cpu";
    const double error = argc > 4 ? atof(argv[4]) : 4e-4, dt = 0.01;
    uint64_t meetings = 0; /* of the last step */
    double seconds[STEPS_MOST], phase[PHASES][STEPS_MOST];
    struct scene *scene = NULL;
    struct bodies *bodies = NULL;
    struct solver *solver = NULL;
    if (steps < 1 || steps > STEPS_MOST)
        return 2;
    if (scene_open(&scene, argc > 6 ? argv[6] : "milky-way-andromeda") != STATUS_OK)
        return fail();
    scene->bodies.count = bodies_asked;
    if (ranks_are_together())
        scene->bodies.divide = DIVIDE_FIRST;
    if (bodies_make(&scene->bodies, &bodies) != STATUS_OK)
        return fail();
    const struct solver_params params = {.softening = scene->simulation.softening,
                                         .force = (const void *)choice_find(&force_registry, force),
                                         .force_error = error};
    if (!params.force || solver_open(backend, &params, bodies, &solver) != STATUS_OK)
        return fail();
    if (solver->ops->accelerate(solver) != STATUS_OK)
        return fail();
    for (int k = 0; k < steps; k++) {
        const double start = clock_seconds();
        const uint64_t met = ranks_traffic().meetings;
        double largest;
        if (solver->ops->kick(solver, dt / 2) != STATUS_OK ||
            solver->ops->drift(solver, dt) != STATUS_OK ||
            solver->ops->accelerate(solver) != STATUS_OK ||
            solver->ops->kick(solver, dt / 2) != STATUS_OK ||
            solver->ops->largest(solver, &largest) != STATUS_OK) /* waits for a device */
            return fail();
        seconds[k] = clock_seconds() - start;
        meetings = ranks_traffic().meetings - met;
        for (int p = 0; p < PHASES && ranks_count() > 1; p++)
            phase[p][k] = ranks_last(solver).work.seconds[p];
        if (ranks_count() > 1)
            printf("%s%.2f",
                   k > 0 ? " " : "slowest rank, step by step: ", ranks_last(solver).work.slowest);
    }
    printf("%s%s, %zu bodies, error %g, %s: %.1f ms per step\n", ranks_count() > 1 ? "\n" : "",
           force, bodies->count, error, solver->device, 1e3 * median(seconds, (size_t)steps));
    if (ranks_count() > 1) {
        const struct ranks_evaluation last = ranks_last(solver);
        for (int p = 0; p < PHASES && last.work.rounds > 0; p++)
            printf("  %s %.1f", phases[p], 1e3 * median(phase[p], (size_t)steps));
        printf(" ms\n  slowest rank %.2f of the mean, waiting %.1f %%, %.2f MB in %llu messages "
               "from rank 0, %zu bodies and %zu of others, %d rounds, %llu meetings per step\n",
               last.work.slowest, 100 * last.traffic.waiting / last.seconds,
               (double)last.traffic.bytes / 1e6, (unsigned long long)last.traffic.messages,
               last.work.bodies, last.work.foreign, last.work.rounds, (unsigned long long)meetings);
    }
    printf("  %.0f interactions per body\n", solver->force->interactions / (double)bodies->count);
    char hash[HASH_TEXT];
    if (solver->ops->save(solver, bodies) != STATUS_OK)
        return fail();
    hash_parts(&(struct hash_part){bodies->position, bodies->count * sizeof *bodies->position}, 1,
               hash);
    printf("  positions %s\n", hash);
    solver_close(&solver);
    bodies_destroy(&bodies);
    scene_close(&scene);
    return 0;
}

int main(int argc, char **argv)
{
    if (ranks_open() != STATUS_OK)
        return fail();
    if (ranks_own() > 0 && !freopen("/dev/null", "w", stdout))
        return 1;
    ranks_enter(LANE_MAIN);
    const int code = time_steps(argc, argv);
    ranks_leave();
    ranks_close();
    return code;
}
