/* Force modes and integrators on CUDA: bits that the CPU gives too, double precision, adaptive
 * steps. Skipped, with the reason, where solver_cuda cannot run. */
#include "tests/support/test.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/forces/softening_checks.h"
#include "sim/solver/solver.h"
#include "sim/gravity/force.h"

#include <cuda_runtime_api.h>
#include <string.h>

static void need_device(void)
{
    if (solver_cuda.probe(0) == STATUS_OK)
        return;
    outcome_skip(MISSING_GPU, status_text());
}

TEST(test_modes)
{
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
TEST(test_exact)
{
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

TEST(test_origin)
{
    need_device();
    static const char *const paths[] = {"split", "pairs128", "pairs256", "pairs512", "pairs1024"};
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++)
        check_origin("cuda", paths[p], "fast", 5000);
    check_origin("cuda", "auto", "exact", 5000);
}

/* Ragged numbers of bodies in components of different softening; the CPU's bits in `exact`. */
TEST(test_softening)
{
    need_device();
    static const size_t counts[] = {2, 5, 129, 257, 1021, 2049, 16387};
    static const struct {
        const char *mode;
        double limit;
    } modes[] = {{"fast", 1e-6}, {"exact", 5e-7}, {"double", 1e-14}};
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        const char *mode = modes[m].mode;
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            check_mixed_accuracy("cuda", "auto", mode, counts[k], modes[m].limit);
        check_mixed_subset("cuda", mode, m == 2 ? 1e-14 : 1e-6);
        check_equal_softening("cuda", mode, 1021);
        check_equal_softening("cuda", mode, 5000);
        check_tracers("cuda", "auto", mode, 700, 323, modes[m].limit);
        check_tracers("cuda", "auto", mode, 5001, 4999, modes[m].limit);
    }
    static const char *const paths[] = {"split", "pairs128", "pairs256", "pairs512", "pairs1024"};
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++)
        check_tracers("cuda", paths[p], "fast", 1500, 1111, 1e-6);
    check_mixed_everywhere("cuda", "auto");
    assert_true(mixed_hash("cuda", "auto", "exact", 1, 1003, 1000) ==
                mixed_hash("cpu", "auto", "exact", 1, 1003, 1000));
    assert_true(mixed_hash("cuda", "auto", "exact", 8, 333, 1000) ==
                mixed_hash("cpu", "auto", "exact", 8, 333, 1000));
    assert_true(mixed_hash("cuda", "auto", "exact", 1, 40001, 0) ==
                mixed_hash("cpu", "auto", "exact", 1, 40001, 0));
}

TEST(test_integrators)
{
    need_device();
    check_integrators("cuda");
    check_adaptive("cuda", 160);
}

/* With the device's memory taken but for 64 MiB: what is needed, what is free, how many would fit.
 */
TEST(test_memory)
{
    need_device();
    const size_t left = (size_t)64 << 20;
    struct bodies *bodies = cube_make(1000000, 1);
    struct solver_params params = {.softening = 0.1, .force = &force_exact};
    struct solver *solver = NULL;
    size_t free_bytes = 0, all = 0;
    void *hog = NULL;
    assert_int_equal(cudaSetDevice(0), 0);
    assert_int_equal(cudaMemGetInfo(&free_bytes, &all), 0);
    if (free_bytes < 2 * left || cudaMalloc(&hog, free_bytes - left) != 0) {
        (void)cudaGetLastError();
        bodies_destroy(&bodies);
        outcome_skip(MISSING_GPU, "the device's memory cannot be taken");
    }
    assert_fails(solver_open("cuda", &params, bodies, &solver), STATUS_RUNTIME, "1000000 bodies");
    assert_null(solver);
    const char *enough = strstr(status_text(), " are free, enough for ");
    assert_non_null(enough);
    unsigned long fits = strtoul(enough + strlen(" are free, enough for "), NULL, 10);
    assert_true(fits > 10000 && fits < 1000000);
    bodies->count = fits / 2; /* the rest is the views' */
    assert_ok(solver_open("cuda", &params, bodies, &solver));
    assert_ok(solver->ops->accelerate(solver));
    solver_close(&solver);
    assert_int_equal(cudaFree(hog), 0);
    bodies->count = 1000000;
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
