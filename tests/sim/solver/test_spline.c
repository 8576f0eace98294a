/* Softening by a spline, from the scene to the force. */
#include "tests/support/forces/spline_checks.h"
#include "tests/support/choose.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "tests/support/forces/tree_checks.h"
#include "kernels/pairs/force_cpu.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
#include "scenes/scene.h"
#include "sim/simulation.h"

#include <math.h>

static const struct {
    const char *mode;
    double limit;
} modes[] = {{"fast", 2e-6}, {"exact", 2e-6}, {"double", 1e-14}};
enum { MODES = sizeof modes / sizeof *modes };

TEST(a_pair_pulls_as_the_formula)
{
    for (const struct force_cpu *const *f = force_cpus; *f; f++) {
        for (size_t m = 0; (*f)->usable() && m < MODES; m++)
            check_spline_pair("cpu", (*f)->name, modes[m].mode, modes[m].limit);
        if ((*f)->usable())
            check_spline_pair("cpu", (*f)->name, "tree", 2e-6);
    }
}

TEST(many_bodies_pull_as_the_formula)
{
    static const size_t counts[] = {1, 2, 5, 63, 65, 257, 1021};
    for (const struct force_cpu *const *f = force_cpus; *f; f++)
        for (size_t m = 0; (*f)->usable() && m < MODES; m++)
            for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
                check_spline_accuracy("cpu", (*f)->name, modes[m].mode, counts[k], modes[m].limit);
    check_spline_subset("cpu", "fast", 1e-6);
    check_spline_subset("cpu", "exact", 1e-6);
    check_spline_subset("cpu", "double", 1e-14);
}

TEST(exact_is_the_same_everywhere)
{
    on_cpu_paths(check_spline_everywhere);
}

TEST(an_orbit_keeps_its_energy)
{
    for (size_t m = 0; m < MODES; m++)
        check_spline_orbit("cpu", modes[m].mode);
    check_spline_orbit("cpu", "tree");
}

TEST(a_tree_errs_as_asked)
{
    check_spline_tree("cpu", 5003);
}

TEST(crowds_cost_what_others_cost)
{
    for (int spline = 0; spline < 2; spline++) {
        check_tree_crowds("cpu", "tree", spline, 0.02);
        check_tree_crowds("cpu", "tree", spline, 1e-10);
    }
}

TEST(steps_per_body_keep_energy)
{
    struct bodies *bodies = sphere_make(1500, true, 1);
    struct simulation *simulation;
    const struct simulation_params run = {
        .dt = 0.05,
        .softening = 0.05,
        .softening_kernel = &softening_spline,
        .adaptive = 0.1,
        .steps_per_frame = 20,
        .force = choose(&force_registry, "tree"),
        .integrator = choose(&integrator_registry, "kdk"),
    };
    struct diagnostics before, after;
    assert_ok(simulation_open(&simulation, &run, "cpu", 0, bodies));
    assert_contains(simulation_solver(simulation)->kernel, "spline softening");
    assert_ok(simulation_diagnose(simulation, &before));
    assert_ok(simulation_advance(simulation, 1, NULL));
    assert_ok(simulation_diagnose(simulation, &after));
    assert_true(fabs(after.potential / before.potential - 1) > 0.01); /* it moves */
    assert_near(after.energy / before.energy, 1, 1e-3);
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

TEST(a_scene_asks_for_it)
{
    struct scene *scene;
    assert_ok(scene_parse(&scene, "simulation: {softening_kernel: spline}\n", "test.yaml"));
    assert_ok(scene_validate(scene));
    assert_ptr_equal(scene->simulation.softening_kernel, &softening_spline);
    char *printed = scene_print(scene);
    assert_contains(printed, "softening_kernel: spline");
    free(printed);
    scene_close(&scene);
    assert_ok(scene_parse(&scene, "simulation: {softening: 1}\n", "test.yaml"));
    assert_ptr_equal(scene->simulation.softening_kernel, &softening_plummer);
    printed = scene_print(scene);
    assert_lacks(printed, "softening_kernel");
    free(printed);
    scene_close(&scene);
}

TEST(the_exact_tree_refuses_it)
{
    struct bodies *bodies = sphere_make(100, true, 1);
    const struct solver_params params = {.softening = 0.1,
                                         .softening_kernel = &softening_spline,
                                         .force = choose(&force_registry, "tree-exact")};
    struct solver *solver = NULL;
    assert_fails(solver_open("cpu", &params, bodies, &solver), STATUS_USAGE,
                 "simulation.softening_kernel spline force tree-exact");
    assert_null(solver);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
