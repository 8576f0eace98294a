/* The tree on CUDA: errors below the requested one, for bodies in various distributions, with the
 * same bits from run to run. Skipped, with the reason, if solver_cuda cannot run. */
#include "tests/support/forces/blocks_checks.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/near_checks.h"
#include "tests/support/forces/softening_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "tests/support/forces/tree_checks.h"
#include "sim/integrators/integrator.h"
#include "sim/solver/solver.h"

#include <cuda_runtime_api.h>

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

static void test_errors(void **state)
{
    (void)state;
    need_device();
    check_tree_errors("cuda", "tree", SIZE_MAX, 1e-6);
}

static void test_places(void **state)
{
    (void)state;
    need_device();
    check_tree_places("cuda", "tree", 1e-6);
}

static void test_disks(void **state)
{
    (void)state;
    need_device();
    check_tree_disks("cuda", "tree");
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

/* Whether the solver has seen that there are accelerations changes its launches but no bit. */
static void test_known(void **state)
{
    (void)state;
    need_device();
    const size_t n = 30011;
    double(*seen)[3] = calloc(n, sizeof *seen), (*unseen)[3] = calloc(n, sizeof *unseen), largest;
    assert_true(seen && unseen);
    for (int mixed = 0; mixed < 2; mixed++) {
        struct bodies *bodies = mixed ? mixed_make(n, 5) : cusp_make(n, 3);
        for (int look = 0; look < 2; look++) {
            struct solver *solver = tree_open(bodies, 4e-4, 0.05);
            for (int step = 0; step < 4; step++) {
                assert_ok(solver->ops->accelerate(solver));
                if (look)
                    assert_ok(solver->ops->largest(solver, &largest));
                assert_ok(solver->ops->kick(solver, 0.01));
                assert_ok(solver->ops->drift(solver, 0.01));
            }
            assert_int_equal(solver->force->past, look ? FORCE_PAST_KNOWN : FORCE_PAST_ASKED);
            assert_ok(solver->ops->accelerate(solver));
            assert_ok(solver->ops->accelerations(solver, look ? seen : unseen));
            assert_ok(solver->ops->load(solver, (const double(*)[3])bodies->position,
                                        (const double(*)[3])bodies->velocity,
                                        (const double(*)[3])seen));
            assert_int_equal(solver->force->past, FORCE_PAST_OPEN);
            solver_close(&solver);
        }
        assert_memory_equal(seen, unseen, n * sizeof *seen);
        bodies_destroy(&bodies);
    }
    free(seen);
    free(unseen);
}

/* Sparse bodies around a core so dense that their leaves interact with it body by body. */
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
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_USAGE, "tree sources");
    params.subset = 1;
    params.kernel = "pairs128";
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_DEVICE,
                 "CUDA kernel pairs128");
    bodies->mass[7] = -1;
    params.kernel = NULL;
    double a[1000][3];
    assert_ok(solver_open("cuda", &params, bodies, &solver));
    assert_ok(solver->ops->accelerate(solver));
    assert_fails(solver->ops->accelerations(solver, a), STATUS_USAGE, "tree negative masses");
    solver_close(&solver);
    bodies_destroy(&bodies);
}

/* Bodies that are no longer finite end a run with a sentence. */
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
    assert_fails(simulation_advance(simulation, 1, NULL), STATUS_RUNTIME, "no longer finite");
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

static void copy_near(const struct view *view, const char *column, float *out)
{
    assert_int_equal(cudaEventSynchronize(view->ready), 0);
    assert_int_equal(cudaMemcpy(out, view_values(view, column), view->count * sizeof *out,
                                cudaMemcpyDeviceToHost),
                     0);
}

static void test_near(void **state)
{
    (void)state;
    need_device();
    check_near_views("cuda", copy_near);
}

static void test_crowds(void **state)
{
    (void)state;
    need_device();
    check_tree_crowds("cuda", "tree", false, 0.02);
    check_tree_crowds("cuda", "tree", true, 0.02);
}

/* With an argument: only the tests of that name, a pattern. */
int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),  cmocka_unit_test(test_places),
        cmocka_unit_test(test_sources), cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_known),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_blocks),  cmocka_unit_test(test_partial_halo),
        cmocka_unit_test(test_broken),  cmocka_unit_test(test_near),
        cmocka_unit_test(test_disks),   cmocka_unit_test(test_crowds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
