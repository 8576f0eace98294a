/* Every CUDA kernel of the ladder against double, for all bodies and odd numbers of bodies.
 * Skipped, with the reason, without a CUDA device. */
#include "tests/support/test.h"
#include "tests/support/sphere.h"

#include "cmd/bench/device.h"
#include "kernels/ladder/ladder.h"

#include <math.h>
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

struct work {
    const struct ladder_rung *rung;
    const struct ladder_shape *shape;
};

static int launch(void *user, unsigned turn, void *stream)
{
    const struct work *work = user;
    return work->rung->launch(work->rung, work->shape, &bed.memory, turn, stream);
}

static void check(const struct ladder_rung *rung, const struct ladder_shape *shape, unsigned turn)
{
    size_t count = bed.memory.count, bytes = count * sizeof *bed.got;
    struct work work = {rung, shape};
    memset(bed.got, 0xff, bytes);
    assert_ok(bench_device_upload(bed.device, bed.memory.acceleration, bed.got, bytes));
    enum status status = bench_device_launch(bed.device, launch, &work, turn);
    if (status != STATUS_OK)
        fail_msg("%s, N = %zu, block %u: %s", rung->name, count, shape->block, status_text());
    assert_ok(bench_device_download(bed.device, bed.got, bed.memory.acceleration, bytes));
    ladder_reference(count, bed.bodies->mass, (const double(*)[3])bed.bodies->position, SOFTENING,
                     rung->subset, turn, count, bed.which, bed.want);
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            bed.found[i][c] = (double)bed.got[i][c];
    double error = relative_rms(3 * count, bed.found[0], bed.want[0]);
    if (!(error < 5e-6))
        fail_msg("%s, N = %zu, turn %u, block %u, rows %u, unroll %u, stride %u: error %g",
                 rung->name, count, turn, shape->block, shape->rows, shape->unroll, shape->stride,
                 error);
}

static void rungs_as_published(void **state)
{
    (void)state;
    need_device();
    for (size_t k = 0; k < COUNTS; k++) {
        load(counts[k]);
        for (const struct ladder_rung *const *rung = ladder_cuda_rungs; *rung; rung++)
            for (unsigned turn = 0; turn < (*rung)->subset; turn++)
                check(*rung, &(*rung)->shape, turn);
        unload();
    }
    bench_device_close(&bed.device);
}

static void shapes_of_the_sweeps(void **state)
{
    (void)state;
    need_device();
    const struct ladder_rung *naive = ladder_find(LADDER_CUDA, "naive float4");
    const struct ladder_rung *tile = ladder_find(LADDER_CUDA, "shared tile");
    const struct ladder_rung *threads = ladder_find(LADDER_CUDA, "threads per body");
    const struct ladder_rung *stride = ladder_find(LADDER_CUDA, "stride");
    assert_true(naive && tile && threads && stride);
    for (size_t k = 0; k < COUNTS; k++) {
        load(counts[k]);
        static const unsigned odd[] = {1, 3, 30, 31, 1023, 1024};
        for (size_t b = 0; b < sizeof odd / sizeof *odd; b++)
            check(naive, &(struct ladder_shape){odd[b], 1, 1, 1}, 0);
        for (unsigned p = 16; p <= 512; p *= 2)
            for (unsigned unroll = 1; unroll <= 32; unroll *= 2)
                check(tile, &(struct ladder_shape){p, 1, unroll, 1}, 0);
        for (unsigned q = 1; q <= 8; q *= 2)
            check(threads, &(struct ladder_shape){256 / q, q, 8, 1}, 0);
        for (unsigned p = 8; p <= 512; p *= 2)
            for (unsigned s = 1; s <= 128; s *= 2)
                check(stride, &(struct ladder_shape){p, 1, 8, s}, 0);
        unload();
    }
    bench_device_close(&bed.device);
}

/* A failed launch is reported, computes nothing, and does not affect the next one. */
static void impossible_shapes_fail(void **state)
{
    (void)state;
    need_device();
    load(1000);
    const struct ladder_rung *naive = ladder_find(LADDER_CUDA, "naive float4");
    const struct ladder_rung *tile = ladder_find(LADDER_CUDA, "shared tile");
    struct ladder_shape too_large = {1025, 1, 1, 1}, odd = {100, 1, 8, 1}, unknown = {256, 1, 3, 1};
    struct work work = {naive, &too_large};
    assert_fails(bench_device_launch(bed.device, launch, &work, 0), STATUS_RUNTIME, "launch");
    work = (struct work){tile, &odd};
    assert_fails(bench_device_launch(bed.device, launch, &work, 0), STATUS_RUNTIME, "launch");
    work = (struct work){tile, &unknown};
    assert_fails(bench_device_launch(bed.device, launch, &work, 0), STATUS_RUNTIME, "launch");
    check(naive, &naive->shape, 0);
    unload();
    bench_device_close(&bed.device);
}

static void facts_and_timing(void **state)
{
    (void)state;
    need_device();
    load(4096);
    struct bench_options options = {.quick = true, .cuda = true};
    struct bench_device_facts facts;
    const struct ladder_rung *tile = ladder_find(LADDER_CUDA, "shared tile, unroll 8");
    struct work work = {tile, &tile->shape};
    double seconds = 0;
    assert_ok(bench_device_facts(bed.device, &facts));
    assert_true(facts.multiprocessors >= 1 && facts.schedulers == 4);
    assert_ok(bench_device_median(bed.device, &options, launch, &work, &seconds));
    assert_true(seconds > 0);
    unload();
    bench_device_close(&bed.device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rungs_as_published),
        cmocka_unit_test(shapes_of_the_sweeps),
        cmocka_unit_test(impossible_shapes_fail),
        cmocka_unit_test(facts_and_timing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
