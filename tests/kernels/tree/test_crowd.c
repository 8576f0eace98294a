/* Distances in a crowd and the choice of the k-th, with every instruction set that this machine
 * has. */
#include "tests/support/test.h"
#include "kernels/tree/tree.h"
#include "tests/support/forces/uniform.h"

#include <math.h>
#include <string.h>

enum { MOST = 300 };

static const char *const isas[] = {"avx512", "avx2", "neon", "baseline"};

#define EACH_SET(kernels)                                                                          \
    for (size_t s = 0; s < sizeof isas / sizeof *isas; s++)                                        \
        for (const struct near_kernels *kernels = near_kernels_find(isas[s]); kernels;             \
             kernels = NULL)

TEST(bodies_within_a_bound)
{
    static const size_t counts[] = {0, 1, 7, 8, 9, 64, MOST};
    static const double from[3] = {0.3, 0.5, 0.6};
    double x[MOST + NEAR_PAD], y[MOST + NEAR_PAD], z[MOST + NEAR_PAD], out[MOST + NEAR_PAD];
    const double *const at[3] = {x, y, z};
    EACH_SET(kernels)
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        uint64_t seed = n;
        for (size_t i = 0; i < counts[n] + NEAR_PAD; i++) {
            x[i] = i < counts[n] ? uniform(&seed) : INFINITY;
            y[i] = i < counts[n] ? uniform(&seed) : INFINITY;
            z[i] = i < counts[n] ? uniform(&seed) : INFINITY;
        }
        /* one exactly at the bound */
        const double bound = counts[n] == 0 ? 1
                                            : (x[0] - from[0]) * (x[0] - from[0]) +
                                                  (y[0] - from[1]) * (y[0] - from[1]) +
                                                  (z[0] - from[2]) * (z[0] - from[2]);
        const size_t found = kernels->within(at, counts[n], from, bound, out);
        size_t want = 0;
        for (size_t i = 0; i < counts[n]; i++) {
            const double dx = x[i] - from[0], dy = y[i] - from[1], dz = z[i] - from[2];
            const double square = dx * dx + dy * dy + dz * dz;
            if (square > bound)
                continue;
            assert_true(want < found);
            assert_memory_equal(&out[want], &square, sizeof square);
            want++;
        }
        assert_int_equal(found, want);
    }
}

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The values are random, all equal, or equal in part; the guesses are good, too small or too large.
 */
TEST(the_kth_smallest)
{
    double value[MOST + NEAR_PAD], sorted[MOST];
    EACH_SET(kernels)
    for (size_t count = 1; count <= MOST; count += count < 20 ? 1 : 40)
        for (int kind = 0; kind < 3; kind++) {
            uint64_t seed = count;
            for (size_t i = 0; i < count; i++)
                value[i] = kind == 0 ? uniform(&seed) : kind == 1 ? 0 : floor(4 * uniform(&seed));
            memcpy(sorted, value, count * sizeof *sorted);
            qsort(sorted, count, sizeof *sorted, by_value);
            for (size_t k = 1; k <= count; k++) {
                const double want = sorted[k - 1], most = sorted[count - 1];
                const double guesses[] = {want, 0.9 * want, 1.1 * want, -5, 0, most, 1e300};
                for (size_t g = 0; g < sizeof guesses / sizeof *guesses; g++)
                    assert_true(kernels->smallest(value, count, k, guesses[g], most) == want);
            }
        }
}

TEST(sets_by_name)
{
    assert_null(near_kernels_find("none"));
    assert_non_null(near_kernels_find("auto"));
    assert_ptr_equal(near_kernels_find(near_kernels_find("auto")->isa), near_kernels_find("auto"));
}

TESTS(NULL, NULL)
