/* Softening by component, from the scene to the force, and bodies without mass. */
#include "tests/support/forces/softening_checks.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/choose.h"
#include "tests/support/test.h"
#include "kernels/pairs/force_cpu.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
#include "scenes/scene.h"
#include "sim/bodies/edit.h"
#include "sim/integrators/integrator.h"
#include "sim/models/models.h"
#include "sim/gravity/force.h"

#include <math.h>

static const struct {
    const char *mode;
    double limit;
} modes[] = {{"fast", 1e-6}, {"exact", 5e-7}, {"double", 3e-15}};
enum { MODES = sizeof modes / sizeof *modes };

TEST(test_accuracy)
{
    static const size_t counts[] = {2, 3, 5, 63, 65, 129, 257, 1021};
    for (const struct force_cpu *const *f = force_cpus; *f; f++)
        for (size_t m = 0; (*f)->usable() && m < MODES; m++)
            for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
                check_mixed_accuracy("cpu", (*f)->name, modes[m].mode, counts[k], modes[m].limit);
    check_mixed_subset("cpu", "fast", 1e-6);
    check_mixed_subset("cpu", "exact", 1e-6);
    check_mixed_subset("cpu", "double", 1e-14);
}

TEST(test_same_bits)
{
    on_cpu_paths(check_mixed_everywhere);
}

TEST(test_equal)
{
    for (size_t m = 0; m < MODES; m++)
        check_equal_softening("cpu", modes[m].mode, 1021);
}

TEST(test_tracers)
{
    for (const struct force_cpu *const *f = force_cpus; *f; f++)
        for (size_t m = 0; (*f)->usable() && m < MODES; m++) {
            check_tracers("cpu", (*f)->name, modes[m].mode, 700, 323, modes[m].limit);
            check_tracers("cpu", (*f)->name, modes[m].mode, 1, 70, modes[m].limit);
        }
}

/* Momentum and energy over some steps, with bodies of two softenings close together. */
TEST(test_conservation)
{
    enum { N = 300 };
    struct bodies *bodies = mixed_make(N, 4);
    struct solver *solver = mode_open("cpu", "auto", "double", 1, bodies, 0.1);
    struct diagnostics start, end;
    double potential = 0;
    assert_ok(solver->ops->potential(solver, &potential));
    diagnostics_compute(bodies, potential, &start);
    for (int s = 0; s < 100; s++)
        assert_ok(integrator_kdk.step(solver, 0.002, 1));
    assert_ok(solver->ops->save(solver, bodies));
    assert_ok(solver->ops->potential(solver, &potential));
    diagnostics_compute(bodies, potential, &end);
    for (int c = 0; c < 3; c++) {
        assert_near(end.momentum[c], start.momentum[c], 1e-14);
        assert_near(end.angular_momentum[c], start.angular_momentum[c], 1e-13);
    }
    assert_true(fabs(end.kinetic - start.kinetic) > 1e-3);
    assert_near(end.energy, start.energy, 1e-5);
    solver_close(&solver);
    bodies_destroy(&bodies);
}

TEST(test_runs)
{
    struct bodies *bodies = mixed_make(10, 1);
    double least, most, softening, wide[16];
    float halves[16];
    bodies->components[1].first = 4; /* leaves body 4 without a component */
    bodies->components[1].count = 1;
    bodies->components[2] = (struct component){.first = 5, .count = 2, .softening = 0.25};
    bodies->components[3] = (struct component){.first = 7, .count = 99, .softening = 0.5};
    assert_int_equal(softening_run(bodies, 2, 0, &softening), 3);
    assert_true(softening == 0.03);
    assert_int_equal(softening_run(bodies, 2, 3, &softening), 4);
    assert_true(softening == 2);
    assert_int_equal(softening_run(bodies, 2, 4, &softening), 5);
    assert_true(softening == 2);
    assert_int_equal(softening_run(bodies, 2, 8, &softening), 10);
    assert_true(softening == 0.5);
    softening_range(bodies, 2, &least, &most);
    assert_true(least == 0.03 && most == 2);
    softening_halves(bodies, 2, 16, sizeof *halves, halves);
    softening_halves(bodies, 2, 16, sizeof *wide, wide);
    for (int i = 0; i < 16; i++) {
        double eps = i < 3 || i >= 10 ? 0.03 : i < 5 ? 2 : i < 7 ? 0.25 : 0.5;
        assert_true(wide[i] == eps * eps / 2 && halves[i] == (float)wide[i]);
    }
    bodies_destroy(&bodies);
}

static void assert_refused(struct bodies *bodies, double softening, double own, const char *part)
{
    struct solver_params params = {.softening = softening, .force = &force_fast};
    struct solver *solver = NULL;
    bodies->components[2].softening = own;
    snprintf(bodies->components[2].name, BODIES_NAME_MAX, "halo");
    assert_fails(solver_open("cpu", &params, bodies, &solver), STATUS_USAGE, part);
    assert_null(solver);
}

TEST(test_refusals)
{
    struct bodies *bodies = mixed_make(20, 1);
    assert_refused(bodies, 0.1, -0.5, "component halo softening -0.5");
    assert_refused(bodies, 0.1, NAN, "component halo softening nan");
    assert_refused(bodies, 0.1, INFINITY, "component halo softening inf");
    assert_refused(bodies, 0.1, 1e19, "component halo softening 1e+19");
    assert_refused(bodies, 0.1, 1e-15, "softening 1e-15 beyond");
    assert_refused(bodies, 0, 0.1, "simulation.softening 0");
    bodies_destroy(&bodies);
}

static struct bodies *bodies_of(const char *text)
{
    struct scene *scene, *again;
    struct bodies *bodies;
    assert_ok(scene_parse(&scene, text, "test.yaml"));
    assert_ok(scene_validate(scene));
    char *printed = scene_print(scene);
    assert_non_null(printed);
    assert_ok(scene_parse(&again, printed, "printed.yaml"));
    assert_ok(bodies_make(&again->bodies, &bodies));
    free(printed);
    scene_close(&scene);
    scene_close(&again);
    return bodies;
}

static void assert_softenings(const struct bodies *bodies, size_t count, const double *want)
{
    assert_int_equal(bodies->component_count, count);
    for (size_t c = 0; c < count; c++)
        if (bodies->components[c].softening != want[c])
            fail_msg("component %zu has softening %g instead of %g", c,
                     bodies->components[c].softening, want[c]);
}

TEST(test_scene)
{
    char path[] = "/tmp/test_softening_XXXXXX", text[512];
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    assert_non_null(stream);
    for (int i = 0; i < 9; i++)
        fprintf(stream, "1 %d 0 0 0 0 0\n", i);
    assert_int_equal(fclose(stream), 0);
    snprintf(text, sizeof text,
             "bodies:\n  model: file\n  file: %s\n  count: 6\n  use: b, c\n  components:\n"
             "    - {name: a, first: 1, last: 3, softening: 0.5}\n"
             "    - {name: b, first: 4, last: 6}\n"
             "    - {name: c, first: 7, last: 9, softening: 0.0625}\n",
             path);
    struct bodies *bodies = bodies_of(text);
    assert_softenings(bodies, 2, (const double[]){0, 0.0625});
    assert_ok(bodies_thin(bodies, 2));
    assert_softenings(bodies, 2, (const double[]){0, 0.0625});
    bodies_destroy(&bodies);
    assert_int_equal(unlink(path), 0);

    bodies = bodies_of("bodies:\n  count: 60\n  galaxies:\n"
                       "    - {name: A, disk_softening: 0.01, halo_softening: 0.2}\n"
                       "    - {name: B, bulge_softening: 0.04}\n");
    assert_softenings(bodies, 6, (const double[]){0.01, 0, 0.2, 0, 0.04, 0});
    bodies_destroy(&bodies);

    struct scene *scene;
    assert_ok(scene_parse(&scene, "bodies: {galaxies: [{name: A, halo_softening: -1}]}", "a.yaml"));
    assert_fails(scene_validate(scene), STATUS_USAGE,
                 "bodies.galaxies[1].halo_softening halo_softening");
    scene_close(&scene);
}

/* The adaptive step asks for the least softening in use. */
TEST(test_adaptive)
{
    uint64_t steps[3];
    for (int run = 0; run < 3; run++) {
        struct bodies *bodies = mixed_make(40, 2);
        for (size_t k = 0; k < bodies->component_count; k++)
            bodies->components[k].softening = run == 0 ? 0 : run == 1 ? 0.1 : 0.1 / (double)(k + 1);
        struct simulation_params params = {.dt = 0.125,
                                           .softening = run == 0 ? 0.1 : 7,
                                           .steps_per_frame = 1,
                                           .force = choose(&force_registry, "double"),
                                           .integrator = choose(&integrator_registry, "kdk"),
                                           .adaptive = 0.02};
        struct simulation *simulation;
        assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
        assert_ok(simulation_advance(simulation, 8, NULL));
        steps[run] = simulation_step(simulation);
        simulation_close(&simulation);
        bodies_destroy(&bodies);
    }
    assert_true(steps[0] == steps[1] && steps[2] > steps[0]);
}

TESTS(NULL, NULL)
