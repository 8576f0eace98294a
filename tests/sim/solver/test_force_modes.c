#include "tests/support/test.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/sphere.h"
#include "kernels/pairs/force_cpu.h"
#include "sim/gravity/force.h"

#include <math.h>
#include <omp.h>
#include <string.h>

TEST(test_accuracy)
{
    static const size_t counts[] = {1, 2, 17, 257, 1021, 2048};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        check_mode_accuracy("cpu", "auto", "exact", counts[k], 3e-7);
        check_mode_accuracy("cpu", "auto", "double", counts[k], 2e-15);
    }
    check_mode_accuracy("cpu", least_cpu()->name, "exact", 257, 3e-7);
}

/* Paths and numbers of threads, all against one hash. */
TEST(test_same_bits)
{
    int threads = omp_get_max_threads();
    on_cpu_paths(check_exact_everywhere);
    for (int t = 1; t <= 2; t++) {
        omp_set_num_threads(t);
        uint64_t hash = state_hash("cpu", "auto", "double", 1, 1021, 3);
        omp_set_num_threads(3);
        assert_true(hash == state_hash("cpu", "auto", "double", 1, 1021, 3));
        assert_true(hash != state_hash("cpu", "auto", "exact", 1, 1021, 3));
    }
    omp_set_num_threads(threads);
}

TEST(test_subset)
{
    check_subset("cpu", "fast", 1e-6);
    check_subset("cpu", "exact", 1e-6);
    check_subset("cpu", "double", 1e-14);
}

TEST(test_verbs)
{
    check_verbs("cpu");
}

/* The extremes that solver_open lets through stay finite. */
TEST(test_extremes)
{
    static const char *const modes[] = {"exact", "double"};
    struct bodies *bodies = cube_make(70, 1);
    double a[70][3], energy;
    bodies->position[0][0] = 1e18;
    bodies->position[1][0] = -1e18;
    bodies->mass[2] = 1e5;
    memcpy(bodies->position[3], bodies->position[2], sizeof bodies->position[2]);
    for (const struct force_cpu *const *f = force_cpus; *f; f++)
        for (int m = 0; (*f)->usable() && m < 2; m++) {
            struct solver *solver = mode_open("cpu", (*f)->name, modes[m], 1, bodies, 2.2e-10);
            assert_ok(solver->ops->accelerations(solver, a));
            assert_ok(solver->ops->potential(solver, &energy));
            for (int i = 0; i < 70; i++)
                assert_true(isfinite(a[i][0]) && isfinite(a[i][1]) && isfinite(a[i][2]));
            assert_near(energy / (-1e5 * bodies->mass[3] / 2.2e-10), 1, 1e-3);
            solver_close(&solver);
        }
    bodies_destroy(&bodies);
}

TEST(test_origin)
{
    for (const struct force_cpu *const *f = force_cpus; *f; f++) {
        if (!(*f)->usable())
            continue;
        check_origin("cpu", (*f)->name, "fast", 5000);
    }
    check_origin("cpu", "auto", "exact", 5000); /* the bits of every path */
}

TEST(test_refusals)
{
    struct bodies *bodies = cube_make(3, 1);
    const struct choice *found;
    assert_fails(choice_require(&force_registry, "exactly", &found), STATUS_USAGE, "force exactly");
    struct solver_params params = {.softening = 0.1, .force = &force_exact};
    struct solver *solver = NULL;
    params.subset = 3;
    assert_fails(solver_open("cpu", &params, bodies, &solver), STATUS_USAGE,
                 "simulation.subset subset 3 1 2 4 8 16");
    params.subset = 4;
    assert_fails(solver_open("cpu", &params, bodies, &solver), STATUS_USAGE,
                 "simulation.subset 3 bodies");
    params.subset = 2;
    params.kernel = "sse9";
    assert_fails(solver_open("cpu", &params, bodies, &solver), STATUS_DEVICE, "sse9 kernel");
    assert_null(solver);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
