/* Force modes and integrators on CUDA: bits that the CPU gives too, double precision, adaptive
 * steps. Skipped, with the reason, where solver_cuda cannot run. */
#include "tests/test.h"
#include "tests/mode_checks.h"

#include <string.h>

static void need_device(void)
{
    if (solver_cuda.probe(0) == STATUS_OK)
        return;
    print_message("skipped: %s\n", status_text());
    skip();
}

static void test_modes(void **state)
{
    (void)state;
    need_device();
    static const size_t counts[] = {1, 2, 17, 257, 1021, 2049, 16385};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        check_mode_accuracy("cuda", "auto", "exact", counts[k], 3e-7);
        check_mode_accuracy("cuda", "auto", "double", counts[k], 1e-14);
    }
    check_subset("cuda", "fast", 1e-6);
    check_subset("cuda", "exact", 1e-6);
    check_subset("cuda", "double", 1e-14);
    check_verbs("cuda");
}

/* The bits of the CPU: after a thousand steps, with a part of the sources, and of many groups. */
static void test_exact(void **state)
{
    (void)state;
    need_device();
    check_exact_everywhere("cuda", "auto");
    static const struct {
        size_t count;
        int steps;
        uint32_t subset;
    } runs[] = {{1003, 1000, 1}, {333, 1000, 8}, {16500, 1, 1}, {40001, 0, 1}, {40001, 0, 2}};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        uint64_t hash[2];
        for (int b = 0; b < 2; b++)
            hash[b] = state_hash(b ? "cuda" : "cpu", "auto", "exact", runs[r].subset, runs[r].count,
                                 runs[r].steps);
        if (hash[0] != hash[1])
            fail_msg("N = %zu, %d steps: the CPU's hash is %#llx, CUDA's %#llx", runs[r].count,
                     runs[r].steps, (unsigned long long)hash[0], (unsigned long long)hash[1]);
    }
    assert_true(state_hash("cuda", "auto", "double", 1, 3000, 3) ==
                state_hash("cuda", "auto", "double", 1, 3000, 3));
}

static void test_integrators(void **state)
{
    (void)state;
    need_device();
    check_integrators("cuda");
    check_adaptive("cuda", 160);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_integrators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
