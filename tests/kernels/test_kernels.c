#include "tests/support/test.h"
#include "tests/support/forces/sphere.h"
#include "kernels/isa.h"
#include "kernels/pairs/force_cpu.h"
#include "tests/support/forces/force_reference.h"
#include "kernels/pairs/cuda/force_plan.h"

#include <math.h>
#include <omp.h>
#include <string.h>

static const size_t counts[] = {1,   2,   3,   15,  16,  17,  63,   64,   65,   127,
                                128, 129, 255, 256, 257, 509, 1021, 1025, 1279, 4097};
enum { COUNTS = sizeof counts / sizeof *counts };

static const double SOFTENING = 0.02;

static float (*rows_of(const struct bodies *bodies))[4]
{
    size_t padded = (bodies->count + FORCE_PAD - 1) / FORCE_PAD * FORCE_PAD;
    float(*rows)[4] = aligned_alloc(64, padded * sizeof *rows);
    assert_non_null(rows);
    memset(rows, 0, padded * sizeof *rows);
    for (size_t i = 0; i < bodies->count; i++) {
        for (int c = 0; c < 3; c++)
            rows[i][c] = (float)bodies->position[i][c];
        rows[i][3] = (float)bodies->mass[i];
    }
    return rows;
}

static void *numbers(size_t count)
{
    void *memory = calloc(count, sizeof(double));
    assert_non_null(memory);
    return memory;
}

TEST(test_reference_by_hand)
{
    const double mass[] = {3, 5}, position[][3] = {{0, 0, 0}, {0, 4, 0}};
    double acceleration[2][3], potential[2];
    force_reference(2, mass, position, 3, acceleration, potential);
    assert_near(acceleration[0][1], 5 * 4 / 125.0, 1e-15);
    assert_near(acceleration[1][1], -3 * 4 / 125.0, 1e-15);
    assert_true(acceleration[0][0] == 0 && acceleration[1][2] == 0);
    assert_near(potential[0], -5 / 5.0, 1e-15);
    assert_near(potential[1], -3 / 5.0, 1e-15);
}

TEST(test_accuracy)
{
    for (size_t k = 0; k < COUNTS; k++) {
        size_t n = counts[k];
        struct bodies *bodies = sphere_make(n, false, 17 + k);
        float(*rows)[4] = rows_of(bodies);
        double(*want)[3] = numbers(3 * n), *want_phi = numbers(n);
        double(*got)[3] = numbers(3 * n), *got_phi = numbers(n);
        force_reference(n, bodies->mass, (const double(*)[3])bodies->position, SOFTENING, want,
                        want_phi);
        for (const struct force_cpu *const *f = force_cpus; *f; f++) {
            if (!(*f)->usable())
                continue;
            (*f)->fast(n, (const float(*)[4])rows, (float)SOFTENING, NULL, got);
            (*f)->fast_potential(n, (const float(*)[4])rows, 0, n, (float)SOFTENING, NULL, got_phi);
            double a = relative_rms(3 * n, got[0], want[0]);
            double phi = relative_rms(n, got_phi, want_phi);
            if (!(a < 1e-6 && phi < 1e-6))
                fail_msg("%s, N = %zu: error of acceleration %g, of potential %g", (*f)->name, n, a,
                         phi);
        }
        free(rows);
        free(want);
        free(want_phi);
        free(got);
        free(got_phi);
        bodies_destroy(&bodies);
    }
}

/* A lone body has exactly no acceleration, wherever it is. */
TEST(test_no_self_force)
{
    float rows[FORCE_PAD][4] __attribute__((aligned(64))) = {{1.25f, -3.5e6f, 7e-5f, 2.5f}};
    for (const struct force_cpu *const *f = force_cpus; *f; f++) {
        double a[1][3] = {{1, 1, 1}}, phi = 1;
        if (!(*f)->usable())
            continue;
        (*f)->fast(1, (const float(*)[4])rows, 0.01f, NULL, a);
        (*f)->fast_potential(1, (const float(*)[4])rows, 0, 1, 0.01f, NULL, &phi);
        assert_true(a[0][0] == 0 && a[0][1] == 0 && a[0][2] == 0 && phi == 0);
    }
}

/* 1021: all pairs; the others: each pair once, in an even and an odd number of blocks. */
TEST(test_thread_count)
{
    static const size_t sizes[] = {1021, 1100, 2048, 2500};
    int threads = omp_get_max_threads();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k];
        struct bodies *bodies = sphere_make(n, k % 2 == 0, 5);
        float(*rows)[4] = rows_of(bodies);
        double(*one)[3] = numbers(3 * n), (*many)[3] = numbers(3 * n);
        for (const struct force_cpu *const *f = force_cpus; *f; f++) {
            if (!(*f)->usable())
                continue;
            omp_set_num_threads(1);
            (*f)->fast(n, (const float(*)[4])rows, (float)SOFTENING, NULL, one);
            for (int t = 2; t <= 5; t++) {
                omp_set_num_threads(t);
                (*f)->fast(n, (const float(*)[4])rows, (float)SOFTENING, NULL, many);
                assert_memory_equal(one, many, n * sizeof *one);
            }
        }
        free(rows);
        free(one);
        free(many);
        bodies_destroy(&bodies);
    }
    omp_set_num_threads(threads);
}

static double largest_error(size_t count, const double (*got)[3], const double (*want)[3])
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            largest = fmax(largest, fabs(got[i][c] - want[i][c]));
    return largest;
}

/* Each pair once: masses shared in some blocks only, counts around the size of a block, lengths far
 * from 1. Every body is correct by itself, and mutual forces cancel. Rows after the last one change
 * nothing, and results after it are not touched. */
TEST(test_third_law)
{
    static const struct {
        size_t count, even; /* the first bodies, this many, share one mass */
        double length;
    } cases[] = {{1024, 1024, 1}, {1151, 1151, 1},    {1152, 600, 1},    {1280, 1280, 1e9},
                 {1281, 1281, 1}, {1300, 0, 1e-9},    {2304, 2304, 1},   {2305, 1000, 1},
                 {1536, 700, 1},  {1536, 1536, 1e-4}, {20000, 20000, 1}, {20001, 9000, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t n = cases[k].count;
        double length = cases[k].length;
        struct bodies *bodies = sphere_make(n, false, 23 + k);
        for (size_t i = 0; i < n; i++) {
            if (i < cases[k].even)
                bodies->mass[i] = 1 / (double)n;
            for (int c = 0; c < 3; c++)
                bodies->position[i][c] *= length;
        }
        float(*rows)[4] = rows_of(bodies);
        double(*want)[3] = numbers(3 * n), (*got)[3] = numbers(3 * (n + 1));
        force_reference(n, bodies->mass, (const double(*)[3])bodies->position, SOFTENING * length,
                        want, NULL);
        for (const struct force_cpu *const *f = force_cpus; *f; f++) {
            if (!(*f)->usable())
                continue;
            for (size_t i = 0; i <= n; i++)
                got[i][0] = got[i][1] = got[i][2] = 77;
            (*f)->fast(n, (const float(*)[4])rows, (float)(SOFTENING * length), NULL, got);
            double sum[3] = {0}, size = 0, error = relative_rms(3 * n, got[0], want[0]);
            for (size_t i = 0; i < n; i++)
                for (int c = 0; c < 3; c++) {
                    sum[c] += (double)rows[i][3] * got[i][c];
                    size += (double)rows[i][3] * fabs(got[i][c]);
                }
            double drift = fmax(fabs(sum[0]), fmax(fabs(sum[1]), fabs(sum[2]))) / size;
            double worst = largest_error(n, (const double(*)[3])got, (const double(*)[3])want) *
                           length * length;
            if (!(error < 1e-6 && worst < 1e-4 && drift < 3e-8))
                fail_msg("%s, N = %zu, length %g: error %g, worst %g, momentum %g", (*f)->name, n,
                         length, error, worst, drift);
            assert_true(got[n][0] == 77 && got[n][1] == 77 && got[n][2] == 77);
        }
        free(rows);
        free(want);
        free(got);
        bodies_destroy(&bodies);
    }
}

TEST(test_find)
{
    assert_null(force_cpu_find("sse9"));
    assert_string_equal(force_cpu_find(ISA_LEAST)->name, ISA_LEAST);
    assert_non_null(force_cpu_find("auto"));
}

TEST(test_plan_choice)
{
    struct force_cuda_plan plan;
    assert_false(force_cuda_plan(0, 132, 1 << 30, NULL, &plan));
    assert_false(force_cuda_plan((size_t)FORCE_CUDA_COUNT_MAX + 1, 132, 1 << 30, NULL, &plan));
    assert_false(force_cuda_plan(100, 132, 1 << 30, "fastest", &plan));
    assert_true(force_cuda_plan(512, 132, 1 << 30, NULL, &plan));
    assert_string_equal(plan.name, "split");
    assert_true(force_cuda_plan(1024, 132, 1 << 30, NULL, &plan));
    assert_string_equal(plan.name, "pairs128");
    assert_int_equal(plan.scheme, FORCE_CUDA_PAIRS);
    assert_true(force_cuda_plan(12288, 132, 1 << 30, NULL, &plan));
    assert_string_equal(plan.name, "pairs128");
    assert_true(force_cuda_plan(16384, 132, 1 << 30, NULL, &plan));
    assert_string_equal(plan.name, "pairs256");
    assert_true(force_cuda_plan(1048576, 132, 1 << 30, NULL, &plan));
    assert_string_equal(plan.name, "pairs1024");
}

/* Every plan covers all bodies and all sources, and keeps to the memory it may use. */
TEST(test_plan_cover)
{
    static const char *const names[] = {NULL,       "split",    "pairs128",
                                        "pairs256", "pairs512", "pairs1024"};
    static const size_t more[] = {5000, 16385, 65536, 81920, 262144, 1048576, FORCE_CUDA_COUNT_MAX};
    const size_t budget = (size_t)1 << 28, mores = sizeof more / sizeof *more;
    for (size_t k = 0; k < COUNTS + mores; k++)
        for (size_t name = 0; name < sizeof names / sizeof *names; name++)
            for (int units = 1; units < 200; units += 33) {
                struct force_cuda_plan p;
                size_t n = k < COUNTS ? counts[k] : more[k - COUNTS];
                assert_true(force_cuda_plan(n, units, budget, names[name], &p));
                assert_true(p.stride >= n && p.stride - n < p.tile);
                assert_true(FORCE_CUDA_PAD % p.tile == 0);
                assert_true(p.slot_bytes == p.slots * p.stride * 12);
                assert_true(p.slot_bytes >= n * sizeof(double)); /* the potential borrows them */
                if (p.scheme == FORCE_CUDA_SPLIT) {
                    size_t sources = (n + 127) / 128;
                    assert_true((size_t)p.splits * p.share >= sources);
                    assert_true((size_t)(p.splits - 1) * p.share < sources);
                    assert_true(p.slots == p.splits && p.splits <= 65535);
                    continue;
                }
                assert_true(p.wave >= 1 && p.wave <= p.distances && p.wave <= 65535);
                assert_true(p.slots == 2 * (size_t)p.wave);
                assert_true(p.slot_bytes <= budget || p.wave == 1 || p.whole);
                assert_true(!p.whole ||
                            (p.wave == p.distances && p.slot_bytes < (size_t)205 << 20));
            }
}

TESTS(NULL, NULL)
