#include "tests/support/test.h"
#include "tests/support/forces/sphere.h"
#include "kernels/pairs/force_cpu.h"
#include "tests/support/forces/force_reference.h"
#include "tests/support/forces/mode_checks.h"
#include "kernels/pairs/cuda/force_plan.h"

#include <math.h>
#include <omp.h>
#include <string.h>

static const size_t counts[] = {1, 2, 3, 15, 17, 64, 65, 127, 128, 129, 255, 257, 509, 1021, 2100};
enum { COUNTS = sizeof counts / sizeof *counts };

static const double SOFTENING = 0.02;

/* Bodies that single precision can hold, so that only the arithmetic errs. */
struct fixture {
    size_t count;
    struct bodies *bodies;
    float (*rows)[4];
    double (*wide)[4];
    double (*want)[3], *want_phi, (*got)[3], *got_phi, (*again)[3];
};

static void *memory(size_t bytes)
{
    void *block = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(block);
    memset(block, 0, bytes);
    return block;
}

static void set_up(struct fixture *f, size_t count, uint64_t seed)
{
    size_t padded = (count + FORCE_PAD - 1) / FORCE_PAD * FORCE_PAD;
    *f = (struct fixture){.count = count, .bodies = sphere_make(count, false, seed)};
    f->rows = memory(padded * sizeof *f->rows);
    f->wide = memory(padded * sizeof *f->wide);
    f->want = memory(count * sizeof *f->want);
    f->got = memory(count * sizeof *f->got);
    f->again = memory(count * sizeof *f->again);
    f->want_phi = memory(count * sizeof(double));
    f->got_phi = memory(count * sizeof(double));
    for (size_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++)
            f->rows[i][c] = (float)f->bodies->position[i][c];
        f->rows[i][3] = (float)f->bodies->mass[i];
        for (int c = 0; c < 3; c++)
            f->wide[i][c] = f->bodies->position[i][c] = (double)f->rows[i][c];
        f->wide[i][3] = f->bodies->mass[i] = (double)f->rows[i][3];
    }
    force_reference(count, f->bodies->mass, (const double(*)[3])f->bodies->position, SOFTENING,
                    f->want, f->want_phi);
}

static void tear_down(struct fixture *f)
{
    bodies_destroy(&f->bodies);
    void *const all[] = {f->rows, f->wide, f->want, f->want_phi, f->got, f->got_phi, f->again};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

#define FLOATS(rows)  ((const float(*)[4])(rows))
#define DOUBLES(rows) ((const double(*)[4])(rows))

static void assert_within(const char *what, const struct fixture *f, double limit)
{
    double a = relative_rms(3 * f->count, f->got[0], f->want[0]);
    double phi = relative_rms(f->count, f->got_phi, f->want_phi);
    if (!(a < limit && phi < limit))
        fail_msg("%s, N = %zu: errors %g and %g are not below %g", what, f->count, a, phi, limit);
}

TEST(test_accuracy)
{
    for (size_t k = 0; k < COUNTS; k++) {
        struct fixture f;
        set_up(&f, counts[k], 7 + k);
        size_t n = f.count;
        for (const struct force_cpu *const *cpu = force_cpus; *cpu; cpu++) {
            if (!(*cpu)->usable())
                continue;
            (*cpu)->exact_potential(n, FLOATS(f.rows), 0, n, (float)SOFTENING, NULL, NULL,
                                    f.got_phi);
            (*cpu)->exact(n, FLOATS(f.rows), n, FLOATS(f.rows), (float)SOFTENING, NULL, NULL, NULL,
                          NULL, f.got);
            assert_within("exact", &f, 3e-7);
            (*cpu)->quick(n, FLOATS(f.rows), n, FLOATS(f.rows), (float)SOFTENING, NULL, NULL, NULL,
                          NULL, f.got);
            assert_within("quick", &f, 5e-7);
            (*cpu)->in_double(n, DOUBLES(f.wide), n, DOUBLES(f.wide), SOFTENING, NULL, NULL, f.got);
            (*cpu)->double_potential(n, DOUBLES(f.wide), 0, n, SOFTENING, NULL, f.got_phi);
            assert_within("double", &f, 2e-15);
        }
        tear_down(&f);
    }
}

/* Every path and number of threads gives the bits that the baseline gives with one thread. */
TEST(test_same_bits)
{
    int threads = omp_get_max_threads();
    const struct force_cpu *baseline = least_cpu();
    for (size_t k = 0; k < COUNTS; k++) {
        struct fixture f;
        set_up(&f, counts[k], 70 + k);
        size_t n = f.count, bytes = n * sizeof *f.got;
        double *phi = memory(n * sizeof *phi);
        omp_set_num_threads(1);
        baseline->exact(n, FLOATS(f.rows), n, FLOATS(f.rows), (float)SOFTENING, NULL, NULL, NULL,
                        NULL, f.got);
        baseline->exact_potential(n, FLOATS(f.rows), 0, n, (float)SOFTENING, NULL, NULL, f.got_phi);
        for (const struct force_cpu *const *cpu = force_cpus; *cpu; cpu++)
            for (int t = 1; (*cpu)->usable() && t <= 3; t++) {
                omp_set_num_threads(t);
                (*cpu)->exact(n, FLOATS(f.rows), n, FLOATS(f.rows), (float)SOFTENING, NULL, NULL,
                              NULL, NULL, f.again);
                (*cpu)->exact_potential(n, FLOATS(f.rows), 0, n, (float)SOFTENING, NULL, NULL, phi);
                assert_memory_equal(f.again, f.got, bytes);
                assert_memory_equal(phi, f.got_phi, n * sizeof *phi);
            }
        free(phi);
        tear_down(&f);
    }
    omp_set_num_threads(threads);
}

/* Equal halves of softenings give the bits of the common softening, if it squares exactly. */
TEST(test_equal_halves)
{
    enum { N = 300, PADDED = 320 };
    struct fixture f;
    static float halves[PADDED];
    static double wide[PADDED];
    const double softening = 0x1p-5;
    for (int i = 0; i < PADDED; i++)
        halves[i] = 0x1p-11f, wide[i] = 0x1p-11;
    set_up(&f, N, 9);
    const float(*rows)[4] = FLOATS(f.rows);
    for (const struct force_cpu *const *at = force_cpus; *at; at++) {
        const struct force_cpu *cpu = *at;
        if (!cpu->usable())
            continue;
        cpu->exact(N, rows, N, rows, (float)softening, NULL, NULL, NULL, NULL, f.got);
        cpu->exact(N, rows, N, rows, 9, halves, halves, NULL, NULL, f.again);
        assert_memory_equal(f.again, f.got, sizeof(double[N][3]));
        cpu->quick(N, rows, N, rows, (float)softening, NULL, NULL, NULL, NULL, f.got);
        cpu->quick(N, rows, N, rows, 9, halves, halves, NULL, NULL, f.again);
        assert_memory_equal(f.again, f.got, sizeof(double[N][3]));
        cpu->exact_potential(N, rows, 0, N, (float)softening, NULL, NULL, f.got_phi);
        cpu->exact_potential(N, rows, 0, N, 9, halves, NULL, f.want_phi);
        assert_memory_equal(f.want_phi, f.got_phi, sizeof(double[N]));
        cpu->in_double(N, DOUBLES(f.wide), N, DOUBLES(f.wide), softening, NULL, NULL, f.got);
        cpu->in_double(N, DOUBLES(f.wide), N, DOUBLES(f.wide), 9, wide, wide, f.again);
        assert_true(relative_rms((size_t)3 * N, f.again[0], f.got[0]) < 1e-15);
        cpu->double_potential(N, DOUBLES(f.wide), 0, N, softening, NULL, f.got_phi);
        cpu->double_potential(N, DOUBLES(f.wide), 0, N, 9, wide, f.want_phi);
        assert_true(relative_rms(N, f.want_phi, f.got_phi) < 1e-15);
    }
    tear_down(&f);
}

/* Sums below the normal numbers must not be flushed to zero. */
TEST(test_same_bits_denormal)
{
    struct fixture f;
    set_up(&f, 200, 5);
    for (size_t i = 0; i < f.count; i++) {
        for (int c = 0; c < 3; c++)
            f.rows[i][c] *= 0x1p5f;
        f.rows[i][3] *= 0x1p-118f;
    }
    const struct force_cpu *baseline = least_cpu();
    baseline->exact(f.count, FLOATS(f.rows), f.count, FLOATS(f.rows), 0.5f, NULL, NULL, NULL, NULL,
                    f.got);
    bool tiny = false;
    for (size_t i = 0; i < f.count; i++) {
        assert_true(f.got[i][0] != 0);
        tiny = tiny || fabs(f.got[i][0]) < 0x1p-126;
    }
    assert_true(tiny);
    for (const struct force_cpu *const *cpu = force_cpus; *cpu; cpu++) {
        if (!(*cpu)->usable())
            continue;
        (*cpu)->exact(f.count, FLOATS(f.rows), f.count, FLOATS(f.rows), 0.5f, NULL, NULL, NULL,
                      NULL, f.again);
        assert_memory_equal(f.again, f.got, f.count * sizeof *f.got);
    }
    tear_down(&f);
}

/* Massless rows after the sources change no bit; sources may differ from the targets. */
TEST(test_sources)
{
    struct fixture f;
    set_up(&f, 320, 5);
    for (size_t i = 300; i < 320; i++)
        memset(f.rows[i], 0, sizeof f.rows[i]);
    const struct force_cpu *cpu = force_cpu_find("auto");
    cpu->exact(300, FLOATS(f.rows), 300, FLOATS(f.rows), 0.1f, NULL, NULL, NULL, NULL, f.got);
    cpu->exact(300, FLOATS(f.rows), 320, FLOATS(f.rows), 0.1f, NULL, NULL, NULL, NULL, f.again);
    assert_memory_equal(f.got, f.again, 300 * sizeof *f.got);

    static float source[2][4] = {{1, 2, 5, 0.5f}, {1, 2, -5, 0.25f}};
    static float target[FORCE_PAD][4] = {{1, 2, 3, 9}};
    double a[3];
    cpu->exact(1, FLOATS(target), 2, FLOATS(source), 1e-3f, NULL, NULL, NULL, NULL, &a);
    assert_true(a[0] == 0 && a[1] == 0);
    assert_near(a[2], 0.5 / 4 - 0.25 / 64, 1e-6);
    cpu->quick(1, FLOATS(target), 2, FLOATS(source), 1e-3f, NULL, NULL, NULL, NULL, &a);
    assert_near(a[2], 0.5 / 4 - 0.25 / 64, 1e-6);
    tear_down(&f);
}

TEST(test_plan)
{
    static const size_t more[] = {4096, 16384, 65536, 81920, 1048576, (size_t)1 << 26};
    for (size_t k = 0; k < COUNTS + 6; k++)
        for (size_t part = 1; part <= 16; part *= 2) {
            struct force_direct_plan p;
            size_t n = k < COUNTS ? counts[k] : more[k - COUNTS];
            size_t sources = (n + part - 1) / part, tiles = (sources + 127) / 128;
            force_direct_plan(n, sources, &p);
            assert_true(p.share == force_direct_share(sources));
            assert_true(p.stride >= n && p.stride - n < p.tile && p.stride % p.tile == 0);
            assert_true((size_t)p.share * p.groups >= tiles);
            assert_true((size_t)p.share * (p.groups - 1) < tiles);
            assert_true(p.groups >= 1 && p.groups <= 64);
            assert_true(p.slot_bytes == p.groups * p.stride * 24);
        }
}

TESTS(NULL, NULL)
