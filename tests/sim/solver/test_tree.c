/* The tree as a force of a solver. */
#include "tests/support/choose.h"
#include "tests/support/test.h"
#include "sim/simulation.h"
#include "sim/gravity/auto/auto.h"
#include "sim/gravity/force.h"
#include "sim/solver/solver.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/forces/tree_checks.h"

#include <math.h>

static const struct solver_params params = {.softening = 0.05, .force_error = 1e-3};

static enum status open_tree(const struct bodies *bodies, struct solver_params with,
                             struct solver **solver)
{
    with.force = (const void *)choose(&force_registry, "tree");
    return solver_open("cpu", &with, bodies, solver);
}

TEST(what_a_tree_does_not_take)
{
    struct bodies *bodies = sphere_make(100, true, 1);
    struct solver *solver;
    struct solver_params with = params;
    with.subset = 2;
    assert_fails(open_tree(bodies, with, &solver), STATUS_USAGE, "simulation.subset tree sources");
    with = params;
    with.kernel = "quantum";
    assert_fails(open_tree(bodies, with, &solver), STATUS_DEVICE, "quantum kernel");
    bodies->mass[7] = -1;
    assert_fails(open_tree(bodies, params, &solver), STATUS_USAGE,
                 "simulation.force body 8 mass -1");
    bodies_destroy(&bodies);
}

TEST(a_solver_says_what_it_does)
{
    struct bodies *bodies = sphere_make(5000, true, 1);
    struct solver *solver;
    assert_ok(open_tree(bodies, params, &solver));
    assert_contains(solver->kernel, "tree, error 0.001, order 5");
    double forecast = solver->force->interactions;
    assert_ok(solver->ops->accelerate(solver));
    assert_true(solver->force->interactions < 5000.0 * 5000.0 / 2);
    assert_true(solver->interactions == solver->force->interactions);
    assert_true(forecast > solver->interactions / 5 && forecast < solver->interactions * 5);
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* Bodies with infinite or NaN values end a run with a message, not with an endless walk. */
TEST(broken_bodies_are_found)
{
    struct bodies *bodies = sphere_make(3000, true, 1);
    struct simulation *simulation;
    const struct simulation_params run = {
        .dt = 1e308,
        .softening = 0.05,
        .steps_per_frame = 2,
        .force = (const void *)choose(&force_registry, "tree"),
        .integrator = (const void *)choose(&integrator_registry, "kdk"),
    };
    assert_ok(simulation_open(&simulation, &run, "cpu", 0, bodies));
    assert_fails(simulation_advance(simulation, 1, NULL), STATUS_RUNTIME,
                 "simulation.dt no longer finite");
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

/* Chosen by the number of bodies and the error, and never for cases that a tree does not support.
 */
TEST(the_choice_is_left)
{
    static const struct {
        struct force_wish wish;
        const struct force_ops *chosen;
    } cases[] = {
        {{.bodies = {1}, .error = 4e-4, .subset = 1}, &force_fast},
        {{.bodies = {10239}, .error = 4e-4, .subset = 1}, &force_fast},
        {{.bodies = {10240}, .error = 4e-4, .subset = 1}, &force_tree},
        {{.bodies = {24575}, .error = 1e-4, .subset = 1}, &force_fast},
        {{.bodies = {8192}, .error = 1e-2, .subset = 1}, &force_tree},
        {{.bodies = {65535}, .error = 1e-5, .subset = 1}, &force_fast},
        {{.bodies = {65536}, .error = 1e-5, .subset = 1}, &force_tree},
        {{.bodies = {1000000}, .error = 1e-3, .subset = 2}, &force_fast},
        {{.bodies = {1000000}, .error = 1e-3, .subset = 1, .negative = true}, &force_fast},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_ptr_equal(force_resolve(&force_auto, "cpu", &cases[k].wish), cases[k].chosen);
        assert_ptr_equal(force_resolve(&force_exact, "cpu", &cases[k].wish), &force_exact);
    }
    const struct force_wish few = {.bodies = {65535}, .error = 4e-4, .subset = 1},
                            many = {.bodies = {65536}, .error = 4e-4, .subset = 1};
    const struct force_wish close = {.bodies = {100000}, .error = 5e-5, .subset = 1},
                            part = {.bodies = {1 << 20}, .error = 4e-4, .subset = 2};
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &few), &force_fast);
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &many), &force_tree);
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &close), &force_fast);
    assert_ptr_equal(force_resolve(&force_auto, "cuda", &part), &force_fast);
    assert_ptr_equal(force_resolve(&force_auto, "abacus", &many), &force_fast);
    for (size_t count = 100; count <= 8192; count += 8092) {
        struct bodies *bodies = sphere_make(count, true, 1);
        struct solver *solver;
        struct solver_params with = params;
        with.force = (const void *)choose(&force_registry, "auto");
        assert_ok(solver_open("cpu", &with, bodies, &solver));
        assert_ptr_equal(solver->force->ops, count < 8192 ? &force_fast : &force_tree);
        assert_ok(solver->ops->accelerate(solver));
        solver_close(&solver);
        bodies_destroy(&bodies);
    }
}

/* Energy over some dynamical times, as that of direct sums. */
TEST(energy_is_kept)
{
    double drift[2];
    static const char *const forces[] = {"tree", "double"};
    struct bodies *bodies = sphere_make(test_emulated() ? 500 : 2000, true, 1);
    for (int f = 0; f < 2; f++) {
        struct simulation *simulation;
        const struct simulation_params run = {
            .dt = 0.01,
            .softening = 0.05,
            .steps_per_frame = 100,
            .force = (const void *)choose(&force_registry, forces[f]),
            .integrator = (const void *)choose(&integrator_registry, "kdk"),
        };
        struct diagnostics before, after;
        assert_ok(simulation_open(&simulation, &run, "cpu", 0, bodies));
        assert_ok(simulation_diagnose(simulation, &before));
        assert_ok(simulation_advance(simulation, 1, NULL));
        assert_ok(simulation_diagnose(simulation, &after));
        drift[f] = (after.kinetic + after.potential) / (before.kinetic + before.potential) - 1;
        assert_true(fabs(after.potential / before.potential - 1) > 0.01); /* it moves */
        simulation_close(&simulation);
    }
    bodies_destroy(&bodies);
    assert_true(fabs(drift[0] - drift[1]) < 1e-4);
}

TEST(disks_err_no_more)
{
    check_tree_disks("cpu", "tree");
}

TESTS(NULL, NULL)
