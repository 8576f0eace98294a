/* The kernels of 2-D gravity on the CPU, and their check: it accepts correct results and names
 * wrong ones. */
#include "tests/support/test.h"
#include "cmd/bench/plane.h"
#include "kernels/ladder/plane_cpu.h"
#include "kernels/ladder/plane_cuda.h"

#include <math.h>
#include <string.h>

static const size_t counts[] = {1, 2, 100, 257, 1000};
enum { COUNTS = sizeof counts / sizeof *counts };

static void test_two_bodies(void **state)
{
    (void)state;
    /* Distance 5, negligible softening: a = m / 25 along (3, 4) / 5. */
    const struct plane plane = {.count = 2, .softening = 1e-6F, .dt = 1, .half = 8};
    const struct plane_body bodies[2] = {{1, 1, 0, 0, 2}, {4, 5, 0, 0, 50}};
    double a[2];
    plane_reference(&plane, bodies, 0, a);
    assert_true(fabs(a[0] - 50.0 / 25 * 0.6) < 1e-9 && fabs(a[1] - 50.0 / 25 * 0.8) < 1e-9);
    plane_reference(&plane, bodies, 1, a);
    assert_true(fabs(a[0] + 2.0 / 25 * 0.6) < 1e-9 && fabs(a[1] + 2.0 / 25 * 0.8) < 1e-9);
}

static unsigned sum(const unsigned *map)
{
    unsigned all = 0;
    for (int c = 0; c < PLANE_CELLS; c++)
        all += map[c];
    return all;
}

/* A body on a border belongs to the cell above it; the upper edge of the window belongs to none. */
static void test_map(void **state)
{
    (void)state;
    const float cell = 2.0F / PLANE_SIDE, below = nextafterf(0, -1);
    const struct plane_body bodies[] = {
        {-1, -1, 0, 0, 1},      {0, 0, 0, 0, 1},  {below, 0, 0, 0, 1},
        {cell, -cell, 0, 0, 1}, {1, 0, 0, 0, 1},  {0, nextafterf(1, 0), 0, 0, 1},
        {NAN, 0, 0, 0, 1},      {-2, 0, 0, 0, 1}, {0, INFINITY, 0, 0, 1},
        {cell, -cell, 5, 5, 1},
    };
    const struct plane plane = {.count = 10, .softening = 1, .dt = 1, .half = 1};
    static unsigned map[PLANE_CELLS];
    enum { MIDDLE = PLANE_SIDE / 2 };
    plane_reference_map(&plane, bodies, map);
    assert_int_equal(sum(map), 6);
    assert_int_equal(map[0], 1);
    assert_int_equal(map[MIDDLE * PLANE_SIDE + MIDDLE], 1);
    assert_int_equal(map[MIDDLE * PLANE_SIDE + MIDDLE - 1], 1);
    assert_int_equal(map[(MIDDLE - 1) * PLANE_SIDE + MIDDLE + 1], 2);
    assert_int_equal(map[(PLANE_SIDE - 1) * PLANE_SIDE + MIDDLE], 1);
}

static void check_rung(const struct plane_rung *rung, size_t count)
{
    struct bench_plane *plane;
    double error = -1;
    assert_ok(bench_plane_open(rung, count, NULL, &plane));
    enum status status = bench_plane_check(plane, &error);
    if (status != STATUS_OK)
        fail_msg("%s, %zu bodies: %s", rung->name, count, status_text());
    assert_true(error >= 0 && error < 2e-6);
    bench_plane_close(&plane);
    assert_null(plane);
}

static void test_cpu_rungs(void **state)
{
    (void)state;
    int rungs = 0;
    for (const struct plane_rung *const *r = plane_cpu_rungs; *r; r++, rungs++)
        for (int k = 0; k < COUNTS; k++)
            check_rung(*r, counts[k]);
    assert_int_equal(rungs, 2);
}

/* Kernels with one mistake each, on top of a correct one. */
static int launch(const struct plane *plane, const struct plane_memory *memory)
{
    return plane_cpu_rungs[0]->launch(plane, memory, 0, NULL);
}

static int wrong_tail(const struct plane *plane, const struct plane_memory *memory, unsigned turn,
                      void *stream)
{
    (void)turn;
    (void)stream;
    struct plane_body *last = &memory->bodies[plane->count - 1], old = *last;
    int result = launch(plane, memory);
    *last = old;
    return result;
}

static int wrong_velocity(const struct plane *plane, const struct plane_memory *memory,
                          unsigned turn, void *stream)
{
    (void)turn;
    (void)stream;
    struct plane half = *plane;
    half.dt /= 2;
    return launch(&half, memory);
}

static int wrong_map(const struct plane *plane, const struct plane_memory *memory, unsigned turn,
                     void *stream)
{
    (void)turn;
    (void)stream;
    int result = launch(plane, memory);
    memory->map[PLANE_CELLS - 1]++;
    return result;
}

static int no_numbers(const struct plane *plane, const struct plane_memory *memory, unsigned turn,
                      void *stream)
{
    (void)turn;
    (void)stream;
    int result = launch(plane, memory);
    for (size_t i = 0; i < plane->count; i++)
        memory->bodies[i].vx = memory->bodies[i].x = NAN;
    return result;
}

static void test_wrong_rungs(void **state)
{
    (void)state;
    static const struct {
        int (*launch)(const struct plane *, const struct plane_memory *, unsigned, void *);
        const char *said;
    } wrong[] = {
        {wrong_tail, "body 2304"},
        {wrong_velocity, "velocity lead"},
        {wrong_map, "cell 255 0"},
        {no_numbers, "body 0"},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        struct plane_rung rung = *plane_cpu_rungs[0];
        struct bench_plane *plane;
        double error;
        rung.launch = wrong[w].launch;
        assert_ok(bench_plane_open(&rung, 2305, NULL, &plane));
        assert_fails(bench_plane_check(plane, &error), STATUS_RUNTIME, wrong[w].said);
        bench_plane_close(&plane);
    }
}

/* A root that is off by 1 % is an error, and no sample accepts it. */
static void test_error(void **state)
{
    (void)state;
    enum { N = 300 };
    static struct plane_body before[N], after[N];
    static unsigned map[PLANE_CELLS];
    const struct plane plane = plane_example(N);
    char reason[PLANE_REASON];
    double error;
    plane_bodies(N, before);
    for (size_t i = 0; i < N; i++) {
        double a[2];
        plane_reference(&plane, before, i, a);
        after[i] = before[i];
        after[i].vx += (float)(1.01 * a[0] * (double)plane.dt);
        after[i].vy += (float)(1.01 * a[1] * (double)plane.dt);
        after[i].x += after[i].vx * plane.dt;
        after[i].y += after[i].vy * plane.dt;
    }
    plane_reference_map(&plane, after, map);
    assert_int_equal(plane_check(&plane, before, after, map, 0.02, &error, reason), 1);
    assert_true(fabs(error - 0.01) < 1e-5);
    assert_int_equal(plane_check(&plane, before, after, map, 0.009, &error, reason), 0);
    assert_says(reason, "relative RMS error 0.01 double 0.009");
}

static void test_names(void **state)
{
    (void)state;
    for (const struct plane_rung *const *r = plane_cuda_rungs; *r; r++) {
        assert_true((*r)->name[0] && (*r)->idea[0] && (*r)->launch);
        assert_true((*r)->buffers == 1 || (*r)->layout == PLANE_ARRAYS);
        for (const struct plane_rung *const *other = plane_cuda_rungs; other < r; other++)
            assert_string_not_equal((*r)->name, (*other)->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_bodies), cmocka_unit_test(test_map),
        cmocka_unit_test(test_cpu_rungs),  cmocka_unit_test(test_wrong_rungs),
        cmocka_unit_test(test_error),      cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
