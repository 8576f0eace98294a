/* Softening by a spline on CUDA: the formula, the bits of the CPU in `exact`, a tree's errors.
 * Skipped, with the reason, where solver_cuda cannot run. */
#include "tests/support/forces/spline_checks.h"
#include "tests/support/test.h"
#include "sim/solver/solver.h"

static const struct {
    const char *mode;
    double limit;
} modes[] = {{"fast", 2e-6}, {"exact", 2e-6}, {"double", 1e-14}};
enum { MODES = sizeof modes / sizeof *modes };

static void need_device(void)
{
    if (solver_cuda.probe(0) == STATUS_OK)
        return;
    outcome_skip(MISSING_GPU, status_text());
}

static void test_pair(void **state)
{
    (void)state;
    need_device();
    for (size_t m = 0; m < MODES; m++)
        check_spline_pair("cuda", "auto", modes[m].mode, modes[m].limit);
    check_spline_pair("cuda", "auto", "tree", 2e-6);
}

static void test_bodies(void **state)
{
    (void)state;
    need_device();
    static const size_t counts[] = {1, 2, 5, 129, 257, 1021, 2049, 16387};
    for (size_t m = 0; m < MODES; m++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            check_spline_accuracy("cuda", "auto", modes[m].mode, counts[k], modes[m].limit);
        check_spline_subset("cuda", modes[m].mode, m == 2 ? 1e-14 : 1e-6);
    }
}

static void test_exact(void **state)
{
    (void)state;
    need_device();
    check_spline_everywhere("cuda", "auto");
    static const struct {
        size_t count;
        int steps;
        uint32_t subset;
    } runs[] = {{1003, 300, 1}, {333, 300, 8}, {16500, 1, 1}, {40001, 0, 1}};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        assert_true(
            spline_hash("cuda", "auto", "exact", runs[r].subset, runs[r].count, runs[r].steps) ==
            spline_hash("cpu", "auto", "exact", runs[r].subset, runs[r].count, runs[r].steps));
}

static void test_orbit(void **state)
{
    (void)state;
    need_device();
    for (size_t m = 0; m < MODES; m++)
        check_spline_orbit("cuda", modes[m].mode);
}

static void test_tree(void **state)
{
    (void)state;
    need_device();
    check_spline_tree("cuda", SIZE_MAX);
}

/* Few bodies, for the sanitizers: every kernel once. */
static void test_few(void **state)
{
    (void)state;
    need_device();
    for (size_t m = 0; m < MODES; m++)
        check_spline_accuracy("cuda", "auto", modes[m].mode, 257, modes[m].limit);
    check_spline_accuracy("cuda", "auto", "tree", 257, 4e-4);
}

/* With an argument: only the tests of that name, a pattern. */
int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pair),  cmocka_unit_test(test_bodies), cmocka_unit_test(test_exact),
        cmocka_unit_test(test_orbit), cmocka_unit_test(test_tree),   cmocka_unit_test(test_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
