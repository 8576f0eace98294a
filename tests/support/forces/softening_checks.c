#include "tests/support/forces/softening_checks.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "tests/support/forces/potential.h"
#include "tests/support/forces/force_reference.h"
#include "sim/diagnostics.h"
#include "sim/gravity/force.h"

#include <math.h>
#include <string.h>

static const double FALLBACK = 0.0625;

struct bodies *mixed_make(size_t count, uint64_t seed)
{
    static const double softening[] = {0.03, 0, 0.25, 0.004};
    const size_t parts = count < 4 ? count : 4;
    struct bodies *cube = cube_make(count, seed), *bodies;
    assert_ok(bodies_create(&bodies, count, parts));
    for (size_t k = 0, first = 0; k < parts; k++) {
        size_t size = k + 1 < parts ? (count - first) / 3 : count - first;
        size = size > 0 ? size : 1;
        bodies->components[k] =
            (struct component){.first = first, .count = size, .softening = softening[k]};
        first += size;
    }
    /* Single precision holds every offset, so that only the arithmetic errs. */
    for (size_t i = 0; i < count; i++) {
        bodies->mass[i] = (double)(float)cube->mass[i];
        for (int c = 0; c < 3; c++)
            bodies->position[i][c] = round(cube->position[i][c] * 0x1p20) * 0x1p-20;
        memcpy(bodies->velocity[i], cube->velocity[i], sizeof *cube->velocity);
    }
    bodies_destroy(&cube);
    return bodies;
}

uint64_t mixed_hash(const char *backend, const char *path, const char *mode, uint32_t subset,
                    size_t count, int steps)
{
    struct bodies *bodies = mixed_make(count, count);
    uint64_t hash = hash_of_run(backend, path, mode, subset, bodies, steps);
    bodies_destroy(&bodies);
    return hash;
}

uint64_t small_hash(const char *backend, const char *path, const char *mode, uint32_t subset,
                    size_t count, int steps)
{
    struct bodies *bodies = mixed_make(count, count);
    for (size_t k = 0; k < bodies->component_count; k++)
        bodies->components[k].softening = (bodies->components[k].softening + 0.001) / 64;
    uint64_t hash = hash_of_run(backend, path, mode, subset, bodies, steps);
    bodies_destroy(&bodies);
    return hash;
}

static void check_momentum(const struct bodies *bodies, const double (*a)[3], const char *kernel,
                           double limit)
{
    double force[3] = {0}, size = 0;
    for (size_t i = 0; i < bodies->count; i++)
        for (int c = 0; c < 3; c++) {
            force[c] += bodies->mass[i] * a[i][c];
            size += bodies->mass[i] * fabs(a[i][c]);
        }
    for (int c = 0; c < 3; c++)
        if (!(fabs(force[c]) <= limit * size))
            fail_msg("%s, N = %zu: forces add to %g, against %g", kernel, bodies->count, force[c],
                     size);
}

void check_mixed_accuracy(const char *backend, const char *path, const char *mode, size_t count,
                          double limit)
{
    struct bodies *bodies = mixed_make(count, 3 + count);
    double(*want)[3] = calloc(count, sizeof *want), *phi = calloc(count, sizeof *phi);
    double(*got)[3] = calloc(count, sizeof *got), *softening = calloc(count, sizeof *softening);
    assert_true(want && phi && got && softening);
    for (size_t k = 0; k < bodies->component_count; k++)
        for (size_t i = 0; i < bodies->components[k].count; i++) {
            double own = bodies->components[k].softening;
            softening[bodies->components[k].first + i] = own > 0 ? own : FALLBACK;
        }
    force_reference_mixed(count, bodies->mass, (const double(*)[3])bodies->position, softening,
                          want, phi);
    struct solver *solver = mode_open(backend, path, mode, 1, bodies, FALLBACK);
    double want_energy = check_against(solver, bodies, (const double(*)[3])want, phi, limit, got);
    double direct = potential_by_pairs(bodies, FALLBACK);
    assert_near(direct, want_energy, 1e-13 * fabs(want_energy));
    check_momentum(bodies, (const double(*)[3])got, solver->kernel, limit);
    assert_contains(solver->kernel, mode);
    assert_says(solver->kernel, "softening component");
    solver_close(&solver);
    bodies_destroy(&bodies);
    free(want);
    free(phi);
    free(got);
    free(softening);
}

void check_mixed_subset(const char *backend, const char *mode, double limit)
{
    struct bodies *bodies = mixed_make(1003, 12);
    check_subset_of(backend, mode, limit, bodies);
    bodies_destroy(&bodies);
}

void check_mixed_everywhere(const char *backend, const char *path)
{
    static const struct known_hash known[] = {
        {2, 50, 1, 0xc61d58a03ef9cc85},   {129, 20, 1, 0xed49dbe991c903a5},
        {509, 5, 1, 0x01b8de523351d8a5},  {700, 5, 4, 0x5fbf12f4985ce616},
        {2050, 1, 1, 0x9847fefbc49adfcb},
    };
    check_known_hashes(backend, path, "exact", mixed_hash, known, sizeof known / sizeof *known);
}

/* Gives the energy too, as the last row's first number. */
static void evaluate(const char *backend, const char *path, const char *mode,
                     const struct bodies *bodies, double softening, double (*out)[3],
                     char kernel[96])
{
    struct solver *solver = mode_open(backend, path, mode, 1, bodies, softening);
    assert_ok(solver->ops->accelerations(solver, out));
    memset(out[bodies->count], 0, sizeof *out);
    assert_ok(solver->ops->potential(solver, &out[bodies->count][0]));
    memcpy(kernel, solver->kernel, sizeof solver->force->kernel);
    solver_close(&solver);
}

void check_equal_softening(const char *backend, const char *mode, size_t count)
{
    struct bodies *bodies = mixed_make(count, 5);
    double(*plain)[3] = calloc(count + 1, sizeof *plain);
    double(*same)[3] = calloc(count + 1, sizeof *same);
    char kernel[2][96];
    assert_true(plain && same);
    for (size_t k = 0; k < bodies->component_count; k++)
        bodies->components[k].softening = 0;
    evaluate(backend, "auto", mode, bodies, 0.03, plain, kernel[0]);
    for (int round = 0; round < 2; round++) { /* first some, then all of them */
        for (size_t k = 0; k < bodies->component_count; k++)
            bodies->components[k].softening = round == 0 && k == 1 ? 0 : 0.03;
        evaluate(backend, "auto", mode, bodies, round == 0 ? 0.03 : 0.5, same, kernel[1]);
        assert_string_equal(kernel[0], kernel[1]);
        assert_memory_equal(plain, same, (count + 1) * sizeof *plain);
    }
    bodies->components[1].softening = 0.031;
    evaluate(backend, "auto", mode, bodies, 0.5, same, kernel[1]);
    assert_string_not_equal(kernel[0], kernel[1]);
    assert_memory_not_equal(plain, same, (count + 1) * sizeof *plain);
    bodies_destroy(&bodies);
    free(plain);
    free(same);
}

void check_tracers(const char *backend, const char *path, const char *mode, size_t count,
                   size_t tracers, double limit)
{
    const size_t all = count + tracers;
    struct bodies *bodies = mixed_make(all, 8);
    double(*want)[3] = calloc(all, sizeof *want);
    double(*here)[3] = calloc(all + 1, sizeof *here), (*there)[3] = calloc(all + 1, sizeof *there);
    char kernel[96];
    assert_true(want && here && there);
    for (size_t k = 0; k < bodies->component_count; k++)
        bodies->components[k].softening = 0;
    for (size_t i = count; i < all; i++)
        bodies->mass[i] = 0;
    for (int where = 0; where < 2; where++) {
        force_reference(all, bodies->mass, (const double(*)[3])bodies->position, FALLBACK, want,
                        NULL);
        evaluate(backend, path, mode, bodies, FALLBACK, where == 0 ? here : there, kernel);
        const double(*got)[3] = (const double(*)[3])(where == 0 ? here : there);
        double feel = relative_rms(3 * tracers, got[count], want[count]);
        if (!(feel < limit))
            fail_msg("%s (%s): error of the tracers' acceleration %g", backend, kernel, feel);
        assert_true(relative_rms(3 * count, got[0], want[0]) < limit);
        for (size_t i = count; i < all; i++)
            for (int c = 0; c < 3; c++) /* among the others, and on top of one of them */
                bodies->position[i][c] = bodies->position[i - count][c] * (i == count ? 1 : 0.75);
    }
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            if (bodies->mass[i] > 0 && here[i][c] != there[i][c])
                fail_msg("%s (%s): tracers pull body %zu", backend, kernel, i);
    assert_true(here[all][0] == there[all][0] && (count == 1 || here[all][0] < 0));
    assert_true(relative_rms(3 * tracers, here[count], there[count]) > 0.1);
    bodies_destroy(&bodies);
    free(want);
    free(here);
    free(there);
}
