/* The tree that gives the same bits everywhere, on CUDA: the hashes that are recorded on the CPU,
 * in single launches and recorded steps. Skipped, with the reason, where solver_cuda cannot run. */
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/softening_checks.h"
#include "tests/support/forces/sphere.h"
#include "tests/support/test.h"
#include "tests/support/forces/tree_checks.h"
#include "sim/integrators/integrator.h"
#include "sim/solver/solver.h"
#include "sim/gravity/force.h"

static void need_device(void)
{
    if (solver_cuda.probe(0) == STATUS_OK)
        return;
    outcome_skip(MISSING_GPU, status_text());
}

static void test_errors(void **state)
{
    (void)state;
    need_device();
    check_tree_errors("cuda", "tree-exact", SIZE_MAX, 5e-3);
}

static void test_places(void **state)
{
    (void)state;
    need_device();
    check_tree_places("cuda", "tree-exact", 4e-4);
}

/* The bits of the CPU: as they are recorded, after a thousand steps, and of many bodies. */
static void test_same_bits(void **state)
{
    (void)state;
    need_device();
    check_tree_exact_everywhere("cuda", "auto");
    static const struct {
        size_t count;
        int steps;
    } runs[] = {{1003, 300}, {16500, 2}, {100001, 0}};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        assert_true(state_hash("cuda", "auto", "tree-exact", 1, runs[r].count, runs[r].steps) ==
                    state_hash("cpu", "auto", "tree-exact", 1, runs[r].count, runs[r].steps));
        assert_true(mixed_hash("cuda", "auto", "tree-exact", 1, runs[r].count, runs[r].steps) ==
                    mixed_hash("cpu", "auto", "tree-exact", 1, runs[r].count, runs[r].steps));
    }
}

/* Recorded and replayed steps end where the CPU's do. */
static void test_recorded(void **state)
{
    (void)state;
    need_device();
    const size_t n = 5003;
    static const char *const backends[] = {"cpu", "cuda"};
    struct bodies *end[2];
    const struct solver_params params = {
        .softening = 0.05, .force = &force_tree_exact, .force_error = 4e-4};
    for (int b = 0; b < 2; b++) {
        struct solver *solver = NULL;
        uint64_t done;
        end[b] = cube_make(n, 1);
        assert_ok(solver_open(backends[b], &params, end[b], &solver));
        assert_ok(solver->ops->accelerate(solver));
        assert_ok(solver_repeat(solver, integrator_kdk.step, 0.01, 1, 10, NULL, &done));
        assert_ok(solver->ops->save(solver, end[b]));
        solver_close(&solver);
    }
    assert_memory_equal(end[0]->position, end[1]->position, n * sizeof *end[0]->position);
    assert_memory_equal(end[0]->velocity, end[1]->velocity, n * sizeof *end[0]->velocity);
    bodies_destroy(&end[0]);
    bodies_destroy(&end[1]);
}

static void test_refused(void **state)
{
    (void)state;
    need_device();
    struct bodies *bodies = sphere_make(1000, true, 1);
    struct solver_params params = {.softening = 0.1, .force = &force_tree_exact};
    struct solver *solver = NULL;
    double a[1000][3];
    params.subset = 2;
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_USAGE, "tree sources");
    params.subset = 1;
    bodies->mass[7] = -1;
    assert_ok(solver_open("cuda", &params, bodies, &solver));
    assert_ok(solver->ops->accelerate(solver));
    assert_fails(solver->ops->accelerations(solver, a), STATUS_USAGE, "tree negative masses");
    solver_close(&solver);
    bodies_destroy(&bodies);
}

static void test_crowds(void **state)
{
    (void)state;
    need_device();
    check_tree_crowds("cuda", "tree-exact", false, 0.02);
    check_tree_crowds("cuda", "tree-exact", false, 1e-10);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),    cmocka_unit_test(test_places),
        cmocka_unit_test(test_same_bits), cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_crowds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
