/* See tree.h. Compiled once per instruction set; no multiplication is joined with an addition, so
 * that all give the same distances. */
#include "kernels/tree/tree.h"
#include "kernels/isa.h"

#include <math.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
enum { LANES = 8 };
#elif defined(__AVX2__)
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif

_Static_assert((int)NEAR_PAD % LANES == 0, "whole vectors");

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef long long lanes_int __attribute__((vector_size(LANES * sizeof(long long))));

extern const struct near_kernels OF_ISA(near_kernels);

static inline lanes load(const double *from)
{
    lanes vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

/* Appends those values that are at most `bound`. */
static inline size_t append(lanes value, double bound, double *out, size_t end)
{
#if defined(__AVX512F__)
    const __mmask8 mask = _mm512_cmp_pd_mask((__m512d)value, _mm512_set1_pd(bound), _CMP_LE_OQ);
    _mm512_storeu_pd(out + end, _mm512_maskz_compress_pd(mask, (__m512d)value));
    return end + (size_t)__builtin_popcount(mask);
#elif defined(__AVX2__)
    const __m256d within = _mm256_cmp_pd((__m256d)value, _mm256_set1_pd(bound), _CMP_LE_OQ);
    for (int mask = _mm256_movemask_pd(within); mask != 0; mask &= mask - 1)
        out[end++] = value[__builtin_ctz((unsigned)mask)];
    return end;
#else
    for (int l = 0; l < LANES; l++) {
        out[end] = value[l];
        end += value[l] <= bound;
    }
    return end;
#endif
}

static size_t within(const double *const at[3], size_t count, const double from[3], double bound,
                     double *out)
{
    const double x = from[0], y = from[1], z = from[2];
    size_t end = 0;
    for (size_t i = 0; i < count; i += LANES) {
        const lanes dx = load(at[0] + i) - x, dy = load(at[1] + i) - y, dz = load(at[2] + i) - z;
        end = append(dx * dx + dy * dy + dz * dz, bound, out, end);
    }
    return end;
}

/* The number of values up to `limit`. */
static inline size_t count_to(const double *value, size_t count, double limit)
{
    lanes_int sum = {0};
    size_t total = 0;
    for (size_t i = 0; i < count; i += LANES)
        sum -= load(value + i) <= limit;
    for (int l = 0; l < LANES; l++)
        total += (size_t)sum[l];
    return total;
}

/* The smallest value above `limit`. */
static inline double least_above(const double *value, size_t count, double limit)
{
    lanes least = (lanes){0} + INFINITY;
    double all = INFINITY;
    for (size_t i = 0; i < count; i += LANES) {
        const lanes own = load(value + i);
        const lanes_int better = (own > limit) & (own < least);
        least = (lanes)((better & (lanes_int)own) | (~better & (lanes_int)least));
    }
    for (int l = 0; l < LANES; l++)
        all = least[l] < all ? least[l] : all;
    return all;
}

/* Brackets the value by interpolation between counts, and from the bracket's lower end goes up from
 * value to value. */
static double smallest(double *value, size_t count, size_t k, double guess, double most)
{
    enum { ROUNDS = 8, CLOSE = 2 };
    for (int p = 0; p < NEAR_PAD; p++)
        value[count + (size_t)p] = INFINITY;
    double low = -1, high = most, next = guess;
    size_t below = 0, above = count; /* numbers of values up to low and up to high */
    for (int round = 0; round < ROUNDS && k - below > CLOSE && next > low && next < high; round++) {
        const size_t here = count_to(value, count, next);
        if (here < k) {
            low = next;
            below = here;
        } else {
            high = next;
            above = here;
        }
        const double share = ((double)(k - below) - 0.5) / (double)(above - below);
        next = low + (high - low) * share;
    }
    while (below < k) {
        low = least_above(value, count, low);
        below = count_to(value, count, low);
    }
    return low;
}

#define TEXT_(text) #text
#define TEXT(text)  TEXT_(text)

const struct near_kernels OF_ISA(near_kernels) = {
    .isa = TEXT(KERNEL_ISA),
    .within = within,
    .smallest = smallest,
};
