/* Every CUDA kernel of the ladder against double, for all bodies and odd numbers of bodies.
 * Skipped, with the reason, without a CUDA device. */
#include "tests/support/test.h"
#include "tests/support/forces/sphere.h"

#include "cmd/bench/bed.h"
#include "kernels/ladder/ladder.h"

#include <string.h>

enum { COUNT_MAX = 4096, PADDED_MAX = 4096 };

static const double SOFTENING = 0.01;
static const size_t counts[] = {1, 257, 1000, 4096};
enum { COUNTS = sizeof counts / sizeof *counts };

static struct {
    struct bench_device *device;
    struct bodies *bodies;
    struct ladder_bodies memory;
    float columns[LADDER_INPUT * PADDED_MAX], got[PADDED_MAX][4];
    double want[COUNT_MAX][3], found[COUNT_MAX][3];
    size_t which[COUNT_MAX];
} bed;

static void need_device(void)
{
    if (bench_device_open(0, &bed.device) == STATUS_OK)
        return;
    outcome_skip(MISSING_GPU, status_text());
}

static void load(size_t count)
{
    size_t array = ladder_rows(count) * sizeof(float);
    bed.bodies = sphere_make(count, false, count);
    ladder_fill(bed.columns, count, bed.bodies->mass, (const double(*)[3])bed.bodies->position);
    for (size_t i = 0; i < count; i++)
        bed.which[i] = i;
    void *memory = NULL;
    bench_device_clear(bed.device);
    assert_ok(bench_device_alloc(bed.device, LADDER_MEMORY * array, &memory));
    assert_ok(bench_device_upload(bed.device, memory, bed.columns, LADDER_INPUT * array));
    bed.memory = ladder_lay_out(memory, count, (float)SOFTENING);
}

static void unload(void)
{
    bodies_destroy(&bed.bodies);
}

static int launch(void *user, void *stream)
{
    const struct ladder_rung *rung = user;
    return rung->launch(&bed.memory, stream);
}

static void check(const struct ladder_rung *rung)
{
    size_t count = bed.memory.count, bytes = count * sizeof *bed.got;
    memset(bed.got, 0xff, bytes);
    assert_ok(bench_device_upload(bed.device, bed.memory.acceleration, bed.got, bytes));
    if (bench_device_launch(bed.device, launch, (void *)rung) != STATUS_OK)
        fail_msg("%s, N = %zu: %s", rung->name, count, status_text());
    assert_ok(bench_device_download(bed.device, bed.got, bed.memory.acceleration, bytes));
    ladder_reference(count, bed.bodies->mass, (const double(*)[3])bed.bodies->position, SOFTENING,
                     count, bed.which, bed.want);
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            bed.found[i][c] = (double)bed.got[i][c];
    double error = relative_rms(3 * count, bed.found[0], bed.want[0]);
    if (!(error < 5e-6))
        fail_msg("%s, N = %zu: error %g", rung->name, count, error);
}

TEST(rungs_as_published)
{
    need_device();
    for (size_t k = 0; k < COUNTS; k++) {
        load(counts[k]);
        for (const struct ladder_rung *const *rung = ladder_cuda_rungs; *rung; rung++)
            check(*rung);
        unload();
    }
    bench_device_close(&bed.device);
}

static int refuse(void *user, void *stream)
{
    (void)user, (void)stream;
    return 1; /* cudaErrorInvalidValue */
}

/* A failed launch is reported and does not affect the next one. */
TEST(a_failed_launch_is_told)
{
    need_device();
    load(1000);
    assert_fails(bench_device_launch(bed.device, refuse, NULL), STATUS_RUNTIME, "launch");
    check(ladder_cuda_rungs[0]);
    unload();
    bench_device_close(&bed.device);
}

TEST(facts_and_timing)
{
    need_device();
    load(4096);
    struct bench_options options = {.quick = true, .cuda = true};
    struct bench_device_facts facts;
    double seconds = 0;
    assert_ok(bench_device_facts(bed.device, &facts));
    assert_true(facts.multiprocessors >= 1 && facts.schedulers == 4);
    assert_ok(
        bench_device_median(bed.device, &options, launch, (void *)ladder_cuda_rungs[0], &seconds));
    assert_true(seconds > 0);
    unload();
    bench_device_close(&bed.device);
}

TESTS(NULL, NULL)
