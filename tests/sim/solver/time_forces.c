/* Prints how fast and how exact the force kernels of the best backend are; with numbers of bodies
 * as arguments how fast its forces are with Plummer's softening, with another one in half of the
 * bodies, and with a spline. Run by hand. */
#include "tests/support/choose.h"
#include "tests/support/forces/sphere.h"
#include "kernels/isa.h"
#include "sim/solver/cpu.h"
#include "sim/solver/solver.h"
#include "sim/gravity/force.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 1024 };

static const double SOFTENING = 0.01;

/* Relative RMS error of every (count / SAMPLE)-th acceleration against a direct double sum. */
static double sample_error(const struct bodies *bodies, const double (*want)[3],
                           const double (*got)[3])
{
    static double picked[SAMPLE][3];
    for (size_t k = 0; k < SAMPLE; k++)
        memcpy(picked[k], got[k * (bodies->count / SAMPLE)], sizeof picked[k]);
    return relative_rms((size_t)3 * SAMPLE, picked[0], want[0]);
}

/* In long double: a plain double sum of a million terms is itself off by some 1e-14. */
static void sample_reference(const struct bodies *bodies, double (*want)[3])
{
    const double(*x)[3] = (const double(*)[3])bodies->position;
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < SAMPLE; k++) {
        size_t i = k * (bodies->count / SAMPLE);
        long double a[3] = {0};
        for (size_t j = 0; j < bodies->count; j++) {
            long double d[3], r2 = (long double)SOFTENING * SOFTENING;
            for (int c = 0; c < 3; c++) {
                d[c] = (long double)x[j][c] - x[i][c];
                r2 += d[c] * d[c];
            }
            long double pull = bodies->mass[j] / (r2 * sqrtl(r2));
            for (int c = 0; c < 3; c++)
                a[c] += pull * d[c];
        }
        for (int c = 0; c < 3; c++)
            want[k][c] = (double)a[c];
    }
}

/* Evaluates like a run: CUDA replays recorded launches. */
static enum status forces_alone(struct solver *solver, double dt, double damping)
{
    (void)dt, (void)damping;
    return solver->ops->accelerate(solver);
}

/* `path` may also be a force mode. */
static enum status measure(const struct solver_ops *ops, const char *path,
                           const struct bodies *bodies, bool equal, const double (*want)[3])
{
    const struct force_ops *mode =
        strcmp(path, "auto") == 0 ? NULL : choice_find(&force_registry, path);
    struct solver_params params = {
        .softening = SOFTENING, .force = mode ? mode : &force_fast, .kernel = mode ? "auto" : path};
    struct solver *solver = NULL;
    double(*got)[3] = malloc(bodies->count * sizeof *got);
    if (!got)
        return status_fail(STATUS_RUNTIME, "no memory");
    enum status status = solver_open(ops->name, &params, bodies, &solver);
    uint64_t made;
    if (status == STATUS_OK)
        status = solver_repeat(solver, forces_alone, 0, 1, 1, NULL, &made);
    if (status == STATUS_OK)
        status = ops->accelerations(solver, got);
    if (status == STATUS_OK) {
        double seconds = solver->force_seconds, done = solver->interactions;
        int times = 1 + (int)(0.4 / (seconds + 1e-5));
        status = solver_repeat(solver, forces_alone, 0, 1, (uint64_t)(times < 300 ? times : 300),
                               NULL, &made);
        if (status == STATUS_OK)
            status = ops->accelerations(solver, got);
        seconds = solver->force_seconds - seconds;
        done = solver->interactions - done;
        printf("%8zu %-5s %-9s %-8s %10.1f %10.3f %9.1e  %s\n", bodies->count, ops->name, path,
               equal ? "equal" : "unequal", 1e-9 * done / seconds,
               1e3 * seconds / (done / ((double)bodies->count * (double)bodies->count)),
               sample_error(bodies, want, (const double(*)[3])got), solver->kernel);
        fflush(stdout);
    }
    solver_close(&solver);
    free(got);
    return status;
}

/* Evaluates like a film's steps: the second evaluation of a tree knows accelerations. */
static enum status time_softening(const struct solver_ops *ops, const struct bodies *bodies,
                                  const char *force, const char *name)
{
    const struct solver_params params = {
        .softening = SOFTENING,
        .softening_kernel = strcmp(name, "spline") == 0 ? &softening_spline : &softening_plummer,
        .force = choose(&force_registry, force),
    };
    struct solver *solver = NULL;
    uint64_t made = 0;
    double(*got)[3] = malloc(bodies->count * sizeof *got);
    enum status status = got ? solver_open(ops->name, &params, bodies, &solver)
                             : status_fail(STATUS_RUNTIME, "no memory");
    if (status == STATUS_OK)
        status = solver_repeat(solver, forces_alone, 0, 1, 2, NULL, &made);
    if (status == STATUS_OK) /* waits for the device */
        status = ops->accelerations(solver, got);
    const double before = status == STATUS_OK ? solver->force_seconds : 0;
    if (status == STATUS_OK)
        status = solver_repeat(solver, forces_alone, 0, 1, 10, NULL, &made);
    if (status == STATUS_OK)
        status = ops->accelerations(solver, got);
    if (status == STATUS_OK)
        printf("%8zu %-4s %-6s %-10s %9.3f ms %9.1f 1e9/s  %s\n", bodies->count, ops->name, force,
               name, 1e3 * (solver->force_seconds - before) / 10,
               1e-8 * solver->force->interactions / (solver->force_seconds - before),
               solver->kernel);
    (void)fflush(stdout);
    solver_close(&solver);
    free(got);
    return status;
}

/* The second half softer than the first. */
static struct bodies *in_halves(const struct bodies *bodies)
{
    const size_t count = bodies->count, first = count / 2;
    struct bodies *halves = NULL;
    if (bodies_create(&halves, count, 2) != STATUS_OK)
        abort();
    memcpy(halves->mass, bodies->mass, count * sizeof *bodies->mass);
    memcpy(halves->position, bodies->position, count * sizeof *bodies->position);
    halves->components[0] = (struct component){.count = first};
    halves->components[1] =
        (struct component){.first = first, .count = count - first, .softening = 5 * SOFTENING};
    return halves;
}

static int time_softenings(const struct solver_ops *ops, int count, char **numbers)
{
    static const char *const forces[] = {"exact", "double", "fast", "tensor", "tree"};
    static const char *const softenings[] = {"plummer", "components", "spline"};
    for (int n = 0; n < count; n++) {
        struct bodies *bodies = sphere_make(strtoul(numbers[n], NULL, 10), true, 1);
        struct bodies *halves = in_halves(bodies);
        const bool many = bodies->count > 300000; /* all pairs would take too long */
        for (size_t f = many ? 3 : 0; f < sizeof forces / sizeof *forces; f++)
            for (int k = 0; k < 3; k++) {
                if (time_softening(ops, k == 1 ? halves : bodies, forces[f], softenings[k]) !=
                    STATUS_OK)
                    printf("%s: %s\n", forces[f], status_text());
            }
        bodies_destroy(&halves);
        bodies_destroy(&bodies);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const size_t counts[] = {4096, 8192, 16384, 32768, 65536, 81920, 262144, 1048576};
    static const char *const cpu_paths[] = {"auto",  "avx512", "avx2", ISA_LEAST,
                                            "exact", "double", NULL};
    static const char *const cuda_paths[] = {"auto",     "split",     "pairs128", "pairs256",
                                             "pairs512", "pairs1024", "tensor",   "exact",
                                             "double",   NULL};
    static double want[SAMPLE][3];
    bool cuda = solver_cuda.probe(0) == STATUS_OK;
    if (!cuda)
        printf("no CUDA: %s\n", status_text());
    if (argc > 1)
        return time_softenings(cuda ? &solver_cuda : &solver_cpu, argc - 1, argv + 1);
    printf("%8s %-5s %-9s %-8s %10s %10s %9s  %s\n", "N", "on", "path", "masses", "1e9/s",
           "ms/step", "error", "kernel");
    for (size_t k = 0; k < (cuda ? sizeof counts / sizeof *counts : 3); k++)
        for (int equal = 1; equal >= 0; equal--) {
            struct bodies *bodies = sphere_make(counts[k], equal, counts[k]);
            sample_reference(bodies, want);
            for (const char *const *path = cuda ? cuda_paths : cpu_paths; *path; path++)
                if (measure(cuda ? &solver_cuda : &solver_cpu, *path, bodies, equal,
                            (const double(*)[3])want) != STATUS_OK)
                    printf("%8zu %-5s %-9s %s\n", counts[k], cuda ? "cuda" : "cpu", *path,
                           status_text());
            bodies_destroy(&bodies);
        }
    return 0;
}
