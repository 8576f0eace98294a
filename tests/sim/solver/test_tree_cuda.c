/* The tree on CUDA: errors below what was asked for, on bodies in all kinds of places, with the
 * same bits from run to run. Skipped, with the reason, where solver_cuda cannot run. */
#include "tests/support/blocks_checks.h"
#include "tests/support/force_reference.h"
#include "tests/support/mode_checks.h"
#include "tests/support/near_checks.h"
#include "tests/support/softening_checks.h"
#include "tests/support/sphere.h"
#include "tests/support/test.h"
#include "sim/integrators/kdk.h"
#include "sim/solver/cuda/cuda.h"
#include "sim/solver/tree.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <string.h>

static void need_device(void)
{
    if (solver_cuda.probe(0) == STATUS_OK)
        return;
    outcome_skip(MISSING_GPU, status_text());
}

static struct solver *tree_open(const struct bodies *bodies, double error, double softening)
{
    const struct solver_params params = {
        .softening = softening, .force = &force_tree, .force_error = error};
    struct solver *solver = NULL;
    assert_ok(solver_open("cuda", &params, bodies, &solver));
    return solver;
}

/* The RMS of the errors, each relative to the body's own acceleration. */
static double rms_of(size_t count, const double (*got)[3], const double (*want)[3])
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double wrong = 0, size = 0;
        for (int c = 0; c < 3; c++) {
            wrong += (got[i][c] - want[i][c]) * (got[i][c] - want[i][c]);
            size += want[i][c] * want[i][c];
        }
        sum += size > 0 ? wrong / size : wrong;
    }
    return sqrt(sum / (double)count);
}

/* After the second evaluation, whose rule is that of all later ones. */
static void check_bodies(const struct bodies *bodies, double error, double softening)
{
    const size_t n = bodies->count;
    double(*want)[3] = calloc(n, sizeof *want), *phi = calloc(n, sizeof *phi);
    double(*got)[3] = calloc(n, sizeof *got), energy = 0, want_energy = 0;
    double pull[3] = {0}, all = 0;
    assert_true(want && phi && got);
    force_reference(n, bodies->mass, (const double(*)[3])bodies->position, softening, want, phi);
    struct solver *solver = tree_open(bodies, error, softening);
    for (int k = 0; k < 2; k++)
        assert_ok(solver->ops->accelerate(solver));
    assert_ok(solver->ops->accelerations(solver, got));
    double rms = rms_of(n, (const double(*)[3])got, (const double(*)[3])want);
    if (!(rms <= error))
        fail_msg("N = %zu: RMS error %g, asked for %g", n, rms, error);
    assert_ok(solver->ops->potential(solver, &energy));
    for (size_t i = 0; i < n; i++) {
        double size = 0;
        want_energy += bodies->mass[i] * phi[i] / 2;
        for (int c = 0; c < 3; c++) {
            pull[c] += bodies->mass[i] * got[i][c];
            size += got[i][c] * got[i][c];
        }
        all += bodies->mass[i] * sqrt(size);
    }
    if (!(fabs(energy - want_energy) <= error * fabs(want_energy)))
        fail_msg("N = %zu: potential energy %.9g instead of %.9g", n, energy, want_energy);
    assert_true(hypot(hypot(pull[0], pull[1]), pull[2]) <= 1e-6 * all);
    solver_close(&solver);
    free(want);
    free(phi);
    free(got);
}

static void test_errors(void **state)
{
    (void)state;
    need_device();
    static const size_t counts[] = {1, 2, 17, 48, 49, 257, 1021, 4099, 30011};
    static const double errors[] = {1e-5, 4e-4, 5e-3};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
            struct bodies *bodies = sphere_make(counts[k], k % 2, 3 + k);
            check_bodies(bodies, errors[e], 0.03125);
            bodies_destroy(&bodies);
        }
}

static void test_places(void **state)
{
    (void)state;
    need_device();
    enum { ONE_PLACE, PAIRS, LINE, PLANE, FAR_AWAY, SHIFTED, PLACES };
    const size_t n = 3001;
    for (int place = 0; place < PLACES; place++) {
        struct bodies *bodies = sphere_make(n, true, 5);
        for (size_t i = 0; i < n; i++) {
            double *x = bodies->position[i];
            if (place == ONE_PLACE)
                x[0] = x[1] = x[2] = 0.3;
            if (place == PAIRS && i % 2)
                memcpy(x, bodies->position[i - 1], sizeof bodies->position[i]);
            if (place == PAIRS && i % 2)
                x[0] += 1e-6;
            if (place == LINE || place == PLANE)
                x[2] = 0;
            if (place == LINE)
                x[1] = 0;
            if (place == SHIFTED)
                x[1] += 1e6;
        }
        if (place == FAR_AWAY)
            bodies->position[7][0] = 1e9;
        check_bodies(bodies, 4e-4, 0.03125);
        bodies_destroy(&bodies);
    }
}

/* Softening by component. */
static void test_sources(void **state)
{
    (void)state;
    need_device();
    static const size_t counts[] = {2, 5, 257, 2049, 16387};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        check_mixed_accuracy("cuda", "auto", "tree", counts[k], 4e-4);
}

static void test_same_bits(void **state)
{
    (void)state;
    need_device();
    static const size_t counts[] = {1003, 40001};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        assert_true(state_hash("cuda", "auto", "tree", 1, counts[k], 20) ==
                    state_hash("cuda", "auto", "tree", 1, counts[k], 20));

    /* recorded and replayed, and from a state that was saved */
    const size_t n = 5003;
    struct bodies *bodies = sphere_make(n, false, 1), *other = sphere_make(n, false, 1);
    double(*a)[3] = calloc(n, sizeof *a);
    uint64_t done;
    assert_non_null(a);
    struct solver *solver = tree_open(bodies, 4e-4, 0.05), *resumed;
    assert_ok(solver->ops->accelerate(solver));
    for (int s = 0; s < 20; s++)
        assert_ok(integrator_kdk.step(solver, 0.01, 1));
    assert_ok(solver->ops->save(solver, bodies));
    solver_close(&solver);

    solver = tree_open(other, 4e-4, 0.05);
    assert_ok(solver->ops->accelerate(solver));
    assert_ok(solver_repeat(solver, integrator_kdk.step, 0.01, 1, 10, NULL, &done));
    assert_ok(solver->ops->save(solver, other));
    assert_ok(solver->ops->accelerations(solver, a));
    solver_close(&solver);
    resumed = tree_open(other, 4e-4, 0.05);
    assert_ok(resumed->ops->load(resumed, (const double(*)[3])other->position,
                                 (const double(*)[3])other->velocity, (const double(*)[3])a));
    assert_ok(solver_repeat(resumed, integrator_kdk.step, 0.01, 1, 10, NULL, &done));
    assert_ok(resumed->ops->save(resumed, other));
    solver_close(&resumed);
    assert_memory_equal(bodies->position, other->position, n * sizeof *bodies->position);
    assert_memory_equal(bodies->velocity, other->velocity, n * sizeof *bodies->velocity);
    bodies_destroy(&bodies);
    bodies_destroy(&other);
    free(a);
}

/* Sparse bodies around a core so dense that their leaves meet it body by body. */
static struct bodies *halo_make(size_t count)
{
    struct bodies *bodies = sphere_make(count, true, 9);
    for (size_t i = 0; i < count; i++)
        for (int c = 0; i % 20 > 0 && c < 3; c++)
            bodies->position[i][c] *= 1e-3;
    return bodies;
}

static void test_blocks(void **state)
{
    (void)state;
    need_device();
    static const size_t counts[] = {40, 49, 1500, 30011};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        struct bodies *cusp = cusp_make(counts[k], 3), *mixed = mixed_make(counts[k], 5);
        check_partial("cuda", cusp, 1e-3);
        check_partial("cuda", mixed, 1e-5);
        check_rungs("cuda", cusp);
        if (k > 0)
            check_blocks_resume("cuda", cusp);
        bodies_destroy(&cusp);
        bodies_destroy(&mixed);
    }
    struct bodies *cusp = cusp_make(1200, 3);
    check_blocks_energy("cuda", cusp, 5e-5);
    bodies_destroy(&cusp);
}

static void test_partial_halo(void **state)
{
    (void)state;
    need_device();
    struct bodies *halo = halo_make(100000);
    check_partial("cuda", halo, 4e-4);
    bodies_destroy(&halo);
}

static void test_refused(void **state)
{
    (void)state;
    need_device();
    struct bodies *bodies = sphere_make(1000, true, 1);
    struct solver_params params = {.softening = 0.1, .force = &force_tree, .force_error = 4e-4};
    struct solver *solver = NULL;
    params.subset = 2;
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_USAGE,
                 "a tree needs all sources");
    params.subset = 1;
    params.kernel = "pairs128";
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_DEVICE,
                 "no CUDA kernel 'pairs128'");
    bodies->mass[7] = -1;
    params.kernel = NULL;
    double a[1000][3];
    assert_ok(solver_open("cuda", &params, bodies, &solver));
    assert_ok(solver->ops->accelerate(solver));
    assert_fails(solver->ops->accelerations(solver, a), STATUS_USAGE,
                 "a tree takes no negative masses");
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* Bodies that have left the finite numbers end a run with a sentence. */
static void test_broken(void **state)
{
    (void)state;
    need_device();
    struct bodies *bodies = sphere_make(3000, true, 1);
    struct simulation *simulation;
    const struct simulation_params run = {
        .dt = 1e308,
        .softening = 0.05,
        .steps_per_frame = 2,
        .force = &force_tree,
        .integrator = &integrator_kdk,
    };
    assert_ok(simulation_open(&simulation, &run, "cuda", 0, bodies));
    assert_fails(simulation_advance(simulation, 1, NULL), STATUS_RUNTIME,
                 "has left the finite numbers");
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

static void copy_near(const struct view *view, float *out)
{
    assert_int_equal(cudaMemcpy(out, view->near, view->count * sizeof *out, cudaMemcpyDeviceToHost),
                     0);
}

static void test_near(void **state)
{
    (void)state;
    need_device();
    check_near_views("cuda", copy_near);
}

/* With an argument: only the tests of that name, a pattern. */
int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),       cmocka_unit_test(test_places),
        cmocka_unit_test(test_sources),      cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_partial_halo), cmocka_unit_test(test_broken),
        cmocka_unit_test(test_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
