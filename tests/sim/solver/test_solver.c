#include "tests/support/choose.h"
#include "tests/support/test.h"
#include "tests/support/forces/force_reference.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/solver_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/forces/spring_force.h"
#include "tests/support/forces/potential.h"
#include "kernels/isa.h"
#include "sim/diagnostics.h"
#include "sim/solver/cpu.h"
#include "sim/integrators/integrator.h"
#include "sim/gravity/force.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include <zlib.h>

TEST(test_accuracy)
{
    static const size_t counts[] = {1, 2, 17, 257, 1021};
    static const char *const paths[] = {"auto", "avx512", "avx2", ISA_LEAST};
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
        struct solver_params params = {.softening = 1, .force = &force_fast, .kernel = paths[p]};
        struct bodies *bodies = sphere_make(1, true, 1);
        struct solver *solver = NULL;
        enum status status = solver_open("cpu", &params, bodies, &solver);
        solver_close(&solver);
        bodies_destroy(&bodies);
        if (status == STATUS_DEVICE) {
            print_message("passed over: %s\n", status_text());
            continue;
        }
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            check_accuracy("cpu", paths[p], counts[k], k % 2 == 0);
    }
}

TEST(test_repeats)
{
    check_repeats("cpu", NULL, 509);
    check_repeat_verb("cpu", 509);
}

TEST(test_two_bodies)
{
    check_two_bodies("cpu");
}

TEST(test_reversal)
{
    check_reversal("cpu");
}

TEST(test_broken)
{
    check_broken("cpu");
}

/* Blocks with one mass each, but different ones: of 2, 4, 8, ... parts of the bodies. */
static void check_masses(const char *backend, const char *path)
{
    enum { COUNT = 4096 };
    static double found[COUNT][3], wanted[COUNT][3];
    for (size_t part = COUNT / 2; part >= 128; part /= 4) {
        struct bodies *bodies = sphere_make(COUNT, true, 5);
        for (size_t i = 0; i < COUNT; i++)
            bodies->mass[i] = (double)(1 + 3 * (i / part % 2)) / COUNT;
        struct solver *solver = checks_open(backend, path, bodies, 0.05);
        assert_ok(solver->ops->accelerate(solver));
        assert_ok(solver->ops->accelerations(solver, found));
        force_reference(COUNT, bodies->mass, (const double(*)[3])bodies->position, 0.05, wanted,
                        NULL);
        const double error = relative_rms(3 * COUNT, found[0], wanted[0]);
        if (!(error < 1e-6))
            fail_msg("%s, parts of %zu: wrong by %g", path, part, error);
        solver_close(&solver);
        bodies_destroy(&bodies);
    }
}

TEST(test_masses)
{
    on_cpu_paths(check_masses);
}

TEST(test_threads)
{
    const size_t n = 8500;
    struct bodies *bodies = sphere_make(n, false, 21), *end[2];
    int threads = omp_get_max_threads();
    for (int k = 0; k < 2; k++) {
        omp_set_num_threads(k + 1);
        struct solver *solver = checks_open("cpu", NULL, bodies, 0.05);
        for (int s = 0; s < 2; s++)
            assert_ok(integrator_kdk.step(solver, 0.01, 1));
        end[k] = sphere_make(n, false, 21);
        assert_ok(solver->ops->save(solver, end[k]));
        solver_close(&solver);
    }
    omp_set_num_threads(threads);
    assert_memory_equal(end[0]->position, end[1]->position, n * sizeof *bodies->position);
    assert_memory_equal(end[0]->velocity, end[1]->velocity, n * sizeof *bodies->velocity);
    bodies_destroy(&bodies);
    bodies_destroy(&end[0]);
    bodies_destroy(&end[1]);
}

TEST(test_view)
{
    const size_t n = 37;
    struct bodies *bodies = sphere_make(n, false, 2);
    struct solver *solver = checks_open("cpu", NULL, bodies, 0.05);
    struct view *view = NULL;
    double(*a)[3] = calloc(n, sizeof *a);
    assert_non_null(a);
    column_names_add(&solver->columns, COLUMN_ACCELERATION);
    assert_ok(solver->ops->view_create(solver, &view));
    assert_ok(solver->ops->drift(solver, 0.5));
    assert_ok(solver->ops->view_fill(solver, view));
    assert_ok(solver->ops->accelerations(solver, a));
    assert_true(view->memory == VIEW_HOST && view->device == -1 && view->count == n);
    for (size_t i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) {
            double v = bodies->velocity[i][c], x = bodies->position[i][c] + v * 0.5;
            assert_true(view->position[4 * i + (size_t)c] == (float)x);
            assert_true(view->velocity[4 * i + (size_t)c] == (float)v);
        }
        assert_true(view->position[4 * i + 3] == (float)bodies->mass[i]);
        double size = sqrt(a[i][0] * a[i][0] + a[i][1] * a[i][1] + a[i][2] * a[i][2]);
        assert_true(view->velocity[4 * i + 3] == 0);
        assert_near(view_values(view, COLUMN_ACCELERATION)[i], size, 1e-6 * size);
    }
    solver->ops->view_destroy(solver, &view);
    assert_null(view);
    solver->ops->view_destroy(solver, &view);
    solver_close(&solver);
    solver_close(&solver);
    bodies_destroy(&bodies);
    free(a);
}

/* Sanitizers: memory that is not there is NULL for them, too. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* If a view cannot be created, the caller's pointer is NULL, so that it can be destroyed. */
TEST(test_view_too_large)
{
    struct bodies *bodies = sphere_make(3, true, 1);
    struct solver *solver = checks_open("cpu", NULL, bodies, 0.05);
    struct view *view = (struct view *)bodies;
    solver->count = SIZE_MAX / 256;
    assert_fails(solver->ops->view_create(solver, &view), STATUS_RUNTIME, "memory view");
    assert_null(view);
    solver->ops->view_destroy(solver, &view);
    solver->count = 3;
    solver_close(&solver);
    bodies_destroy(&bodies);
}

TEST(test_new_force)
{
    check_spring("cpu", &spring_cpu);
    check_spring("auto", &spring_cpu); /* a backend without the force is skipped */
}

/* Help and completion offer what there is. */
TEST(test_choices)
{
    char want[64] = "auto";
    for (size_t i = solver_registry.count; i-- > 0;)
        snprintf(want + strlen(want), sizeof want - strlen(want), "|%s",
                 ((const struct choice *)choice_at(&solver_registry, i))->name);
    assert_string_equal(solver_choices, want);
}

/* Paths name their backend, and no force has two for one. */
TEST(test_paths)
{
    const struct force_ops *force;
    for (size_t i = 0; (force = choice_at(&force_registry, i)); i++)
        for (const struct force_path *const *path = force->paths; path && *path; path++) {
            choose(&solver_registry, (*path)->backend);
            assert_ptr_equal(force_path_of(force, (*path)->backend), *path);
        }
    assert_null(force_path_of(choose(&force_registry, "fast"), "abacus"));
    assert_null(force_path_of(choose(&force_registry, "auto"), "cpu"));
    assert_false(force_runs(choose(&force_registry, "tensor"), "cpu", 0));
}

TEST(test_describe)
{
    char text[256] = "", threads[64];
    assert_ok(solver_cpu.probe(0));
    assert_ok(solver_cpu.describe(0, text, sizeof text));
    snprintf(threads, sizeof threads, ", %d thread", omp_get_max_threads());
    assert_contains(text, threads);
    assert_contains(text, " lanes");
    assert_ok(solver_cpu.describe(0, text, 8));
    assert_int_equal(strlen(text), 7);
}

static void assert_refused(const char *backend, struct solver_params params,
                           const struct bodies *bodies, enum status want, const char *part)
{
    struct solver *solver = NULL;
    assert_fails(solver_open(backend, &params, bodies, &solver), want, part);
    assert_null(solver);
}

TEST(test_refusals)
{
    struct bodies *bodies = sphere_make(3, true, 1);
    const struct solver_params good = {.softening = 0.1, .force = &force_fast};
    struct solver_params bad = good;
    assert_refused("abacus", good, bodies, STATUS_USAGE, "backend abacus auto");

    bad.softening = 0;
    assert_refused("cpu", bad, bodies, STATUS_USAGE, "softening 0");
    bad.softening = NAN;
    assert_refused("cpu", bad, bodies, STATUS_USAGE, "softening nan");
    bad.softening = 1e-15;
    assert_refused("cpu", bad, bodies, STATUS_USAGE, "softening");
    bad = good;
    bad.kernel = "sse9";
    assert_refused("cpu", bad, bodies, STATUS_DEVICE, "sse9 kernel");

    bodies->velocity[1][2] = INFINITY;
    assert_refused("cpu", good, bodies, STATUS_USAGE, "body 2 velocity z inf");
    bodies->velocity[1][2] = 0;
    bodies->position[2][0] = NAN;
    assert_refused("cpu", good, bodies, STATUS_USAGE, "body 3 position x nan");
    bodies->position[2][0] = 1e19;
    assert_refused("cpu", good, bodies, STATUS_USAGE, "body 3 position x 1e+19");
    bodies->position[2][0] = 0;
    bodies->mass[0] = NAN;
    assert_refused("cpu", good, bodies, STATUS_USAGE, "body 1 mass nan");
    bodies->mass[0] = 1e40;
    assert_refused("cpu", good, bodies, STATUS_USAGE, "body 1 mass 1e+40");
    bodies->count = 0;
    assert_refused("cpu", good, bodies, STATUS_USAGE, "no bodies");
    bodies->count = 3;
    bodies_destroy(&bodies);
}

/* The extremes that solver_open lets through stay finite. */
TEST(test_extremes)
{
    struct bodies *bodies = sphere_make(70, true, 1);
    double a[70][3];
    bodies->position[0][0] = 1e18;
    bodies->position[1][0] = -1e18;
    bodies->mass[2] = 1e5;
    bodies->position[3][0] = bodies->position[2][0]; /* coincident bodies */
    memcpy(bodies->position[3], bodies->position[2], sizeof bodies->position[2]);
    struct solver *solver = checks_open("cpu", NULL, bodies, 2.2e-11 * 1e1);
    assert_ok(solver->ops->accelerations(solver, a));
    for (int i = 0; i < 70; i++)
        for (int c = 0; c < 3; c++)
            assert_true(isfinite(a[i][c]));
    solver_close(&solver);
    bodies_destroy(&bodies);
}

TEST(test_figure_eight)
{
    const char *path = test_data("smalln/figure8.mpv");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    struct bodies *bodies, *end;
    assert_ok(bodies_create(&bodies, 3, 1));
    assert_ok(bodies_create(&end, 3, 1));
    assert_int_equal(fscanf(file, "%*d %*f"), 0);
    for (int i = 0; i < 3; i++) {
        double *x = bodies->position[i], *v = bodies->velocity[i];
        assert_int_equal(fscanf(file, "%lf %lf %lf %lf %lf %lf %lf", &bodies->mass[i], &x[0], &x[1],
                                &x[2], &v[0], &v[1], &v[2]),
                         7);
    }
    fclose(file);

    const double period = 6.32591398;
    const int steps = 4000;
    struct solver *solver = checks_open("cpu", NULL, bodies, 1e-4);
    double farthest = 0;
    for (int s = 0; s < steps; s++) {
        assert_ok(integrator_kdk.step(solver, period / steps, 1));
        assert_ok(solver->ops->save(solver, end));
        farthest = fmax(farthest, fabs(end->position[0][0] - bodies->position[0][0]));
    }
    assert_true(farthest > 1.5);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) {
            assert_near(end->position[i][c], bodies->position[i][c], 1e-4);
            assert_near(end->velocity[i][c], bodies->velocity[i][c], 1e-4);
        }
    solver_close(&solver);
    bodies_destroy(&bodies);
    bodies_destroy(&end);
}

static void check_standard_units(const char *name, size_t count)
{
    const char *path = test_data(name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, count, 1));
    for (size_t i = 0; i < count; i++) {
        double *x = bodies->position[i], *v = bodies->velocity[i];
        assert_int_equal(fscanf(file, "%*d %lf %lf %lf %lf %lf %lf %lf", &bodies->mass[i], &x[0],
                                &x[1], &x[2], &v[0], &v[1], &v[2]),
                         7);
    }
    fclose(file);
    struct solver *solver = checks_open("cpu", NULL, bodies, 1e-5);
    struct diagnostics d;
    double potential;
    diagnostics_compute(bodies, potential_by_pairs(bodies, 1e-5), &d);
    assert_near(d.mass, 1, 1e-12);
    assert_near(d.energy, -0.25, 1e-7);
    assert_ok(solver->ops->potential(solver, &potential));
    assert_near(d.kinetic + potential, -0.25, 1e-6);
    for (int c = 0; c < 3; c++) {
        assert_near(d.centre[c], 0, 1e-9);
        assert_near(d.momentum[c], 0, 1e-9);
    }
    solver_close(&solver);
    bodies_destroy(&bodies);
}

TEST(test_standard_units)
{
    check_standard_units("smalln/input16", 16);
    check_standard_units("smalln/input64", 64);
    check_standard_units("smalln/input256", 256);
}

TEST(test_dubinski)
{
    enum { N = 81920 };
    static const struct wanted {
        size_t every;
        double kinetic, potential, angular_momentum[3];
    } cases[] = {
        {1, 28.670287, -48.538255, {22.156043, -41.825184, -116.67588}},
        {16, 1.8147427, -0.1907467, {1.3515467, -2.0410300, -7.0366190}},
    };
    const struct wanted *wanted = &cases[test_emulated()];
    const char *path = test_data("dubinski/dubinski.tab.gz");
    gzFile file = gzopen(path, "rb");
    assert_non_null(file);
    struct bodies *bodies;
    char line[512];
    assert_ok(bodies_create(&bodies, N / wanted->every, 1));
    for (size_t i = 0; i < N; i++) {
        const size_t to = i / wanted->every; /* the last of so many stays */
        double *x = bodies->position[to], *v = bodies->velocity[to];
        assert_non_null(gzgets(file, line, sizeof line));
        assert_int_equal(sscanf(line, "%lf %lf %lf %lf %lf %lf %lf", &bodies->mass[to], &x[0],
                                &x[1], &x[2], &v[0], &v[1], &v[2]),
                         7);
    }
    assert_int_equal(gzclose(file), Z_OK);
    struct solver_params params = {.softening = 0.025, .force = &force_fast};
    struct solver *solver = NULL;
    struct diagnostics d;
    double potential;
    assert_ok(solver_open("cpu", &params, bodies, &solver));
    assert_ok(solver->ops->potential(solver, &potential));
    diagnostics_compute(bodies, potential, &d);
    assert_near(d.kinetic, wanted->kinetic, 1e-6);
    assert_near(d.potential, wanted->potential, 2e-5);
    assert_near(d.angular_momentum[0], wanted->angular_momentum[0], 1e-5);
    assert_near(d.angular_momentum[1], wanted->angular_momentum[1], 1e-5);
    assert_near(d.angular_momentum[2], wanted->angular_momentum[2], 1e-4);
    solver_close(&solver);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
