/* Every CUDA kernel of 2-D gravity. Skipped, with the reason, without a device. */
#include "tests/support/test.h"
#include "cmd/bench/plane.h"
#include "kernels/ladder/plane_cuda.h"

static const size_t counts[] = {1, 100, 255, 256, 257, 1000, 4099};

static void test_rungs(void **state)
{
    (void)state;
    struct bench_device *device;
    if (bench_device_open(0, &device) != STATUS_OK)
        outcome_skip(MISSING_GPU, status_text());
    int rungs = 0;
    for (const struct plane_rung *const *r = plane_cuda_rungs; *r; r++, rungs++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            struct bench_plane *plane;
            double error;
            assert_ok(bench_plane_open(*r, counts[k], device, &plane));
            enum status status = bench_plane_check(plane, &error);
            if (status != STATUS_OK)
                fail_msg("%s, %zu bodies: %s", (*r)->name, counts[k], status_text());
            bench_plane_close(&plane);
        }
    assert_int_equal(rungs, 8);
    bench_device_close(&device);
}

/* Iterations in a row, as in the timing: the second buffer becomes the first. */
static void test_many_iterations(void **state)
{
    (void)state;
    struct bench_device *device;
    const struct bench_options options = {.quick = true};
    if (bench_device_open(0, &device) != STATUS_OK)
        outcome_skip(MISSING_GPU, status_text());
    for (const struct plane_rung *const *r = plane_cuda_rungs; *r; r++) {
        struct bench_plane *plane;
        double error, seconds = 0;
        assert_ok(bench_plane_open(*r, 1000, device, &plane));
        assert_ok(bench_plane_check(plane, &error));
        assert_ok(bench_plane_time(plane, &options, &seconds));
        assert_true(seconds > 0);
        bench_plane_close(&plane);
    }
    bench_device_close(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rungs),
        cmocka_unit_test(test_many_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
