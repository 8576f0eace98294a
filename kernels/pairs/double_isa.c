/* Compiled once per instruction set, see isa.h, and again with KERNEL_SPLINE for spline
 * softening. */
#include "kernels/pairs/force_cpu.h"
#include "kernels/isa.h"
#include "kernels/rows.h"

#include <math.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__)
enum { LANES = 8, TARGETS = 4 };
#elif defined(__AVX2__)
enum { LANES = 4, TARGETS = 2 };
#elif defined(__aarch64__)
enum { LANES = 2, TARGETS = 2 };
#else
enum { LANES = 2, TARGETS = 2 };
#endif

enum { WIDTH = LANES * TARGETS, WORTH_PAIRS = 512 * 512 };

_Static_assert(FORCE_PAD % WIDTH == 0, "rows are padded to whole groups of targets");

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef long long lanes_int __attribute__((vector_size(LANES * sizeof(long long))));

static int threads_for(size_t targets, size_t sources)
{
    return targets * sources < WORTH_PAIRS ? 1 : force_cpu_threads();
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* x^(-1/2) within 4e-4 if there is an instruction for it, else correctly up to rounding; x must be
 * in the range of single precision. */
static inline lanes estimate(lanes x)
{
#if defined(__AVX512F__)
    return (lanes)_mm512_rsqrt14_pd((__m512d)x);
#elif defined(__AVX2__)
    return (lanes)_mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps((__m256d)x)));
#elif defined(__SSE2__)
    return 1 / (lanes)_mm_sqrt_pd((__m128d)x);
#elif defined(__aarch64__)
    float64x2_t e = vrsqrteq_f64((float64x2_t)x);
    return (lanes)vmulq_f64(e, vrsqrtsq_f64((float64x2_t)x, vmulq_f64(e, e)));
#else
    lanes y;
    for (int l = 0; l < LANES; l++)
        y[l] = 1 / sqrt(x[l]);
    return y;
#endif
}

/* With h = 1 - x e^2, at most 8e-4: the series of (1 - h)^(-3/2) and (1 - h)^(-1/2), truncated
 * beyond the 15th digit. */
static inline lanes inverse_cube(lanes x)
{
    lanes e = estimate(x), e2 = e * e, h = 1 - x * e2;
    return e * e2 * (1 + h * (1.5 + h * (1.875 + h * (2.1875 + h * (2.4609375 + h * 2.70703125)))));
}

static inline lanes inverse(lanes x)
{
    lanes e = estimate(x), h = 1 - x * (e * e);
    return e * (1 + h * (0.5 + h * (0.375 + h * (0.3125 + h * (0.2734375 + h * 0.24609375)))));
}

/* A block of targets; softening2 is eps^2 or, if the sources have halves, the targets' halves. */
struct block {
    lanes x[TARGETS], y[TARGETS], z[TARGETS], softening2[TARGETS];
};

INLINE lanes column(const double (*rows)[4], int c)
{
    double values[LANES];
    lanes vector;
    for (int l = 0; l < LANES; l++)
        values[l] = rows[l][c];
    memcpy(&vector, values, sizeof vector);
    return vector;
}

INLINE void gather(const double (*rows)[4], double softening, const double *halves, struct block *t)
{
    for (int k = 0; k < TARGETS; k++) {
        t->x[k] = column(rows + k * LANES, 0);
        t->y[k] = column(rows + k * LANES, 1);
        t->z[k] = column(rows + k * LANES, 2);
        t->softening2[k] = softening * softening - (lanes){0};
        if (halves)
            memcpy(&t->softening2[k], halves + k * LANES, sizeof t->softening2[k]);
    }
}

#ifdef KERNEL_SPLINE

INLINE lanes spline_root(lanes x)
{
    return inverse(x);
}

#define SPLINE_REAL         double
#define SPLINE_FMA(a, b, c) ((a) * (b) + (c))
#define SPLINE_CONST(x)     ((x) - (lanes){0})
#include "kernels/spline_lanes.h"

INLINE lanes half_of(bool mixed, const struct block *t, int k, const double *halves, size_t j)
{
    return mixed ? spline_larger(t->softening2[k], halves[j] - (lanes){0}) : t->softening2[0] / 2;
}

INLINE lanes pull_of(bool mixed, lanes dx, lanes dy, lanes dz, const struct block *t, int k,
                     const double *halves, size_t j)
{
    lanes r2 = dx * dx + (dy * dy + dz * dz);
    return spline_pull(r2, half_of(mixed, t, k, halves, j), inverse_cube(r2), 1);
}

INLINE lanes phi_of(bool mixed, lanes dx, lanes dy, lanes dz, const struct block *t, int k,
                    const double *halves, size_t j)
{
    lanes r2 = dx * dx + (dy * dy + dz * dz);
    return spline_phi(r2, half_of(mixed, t, k, halves, j), inverse(r2));
}

#else

INLINE lanes softening_of(bool mixed, const struct block *t, int k, const double *halves, size_t j)
{
    return mixed ? t->softening2[k] + halves[j] : t->softening2[0];
}

INLINE lanes pull_of(bool mixed, lanes dx, lanes dy, lanes dz, const struct block *t, int k,
                     const double *halves, size_t j)
{
    lanes softening2 = softening_of(mixed, t, k, halves, j);
    return inverse_cube(dx * dx + (dy * dy + (dz * dz + softening2)));
}

INLINE lanes phi_of(bool mixed, lanes dx, lanes dy, lanes dz, const struct block *t, int k,
                    const double *halves, size_t j)
{
    lanes softening2 = softening_of(mixed, t, k, halves, j);
    return inverse(dx * dx + (dy * dy + (dz * dz + softening2)));
}

#endif

INLINE void accelerate(bool mixed, const double (*target)[4], size_t sources,
                       const double (*source)[4], double softening, const double *target_halves,
                       const double *halves, size_t count, double (*out)[3])
{
    struct block t;
    lanes total[3][TARGETS] = {{{0}}};
    gather(target, softening, target_halves, &t);
    for (size_t first = 0; first < sources; first += FORCE_DIRECT_TILE) {
        size_t end = smaller(first + FORCE_DIRECT_TILE, sources);
        lanes ax[TARGETS] = {0}, ay[TARGETS] = {0}, az[TARGETS] = {0};
        for (size_t j = first; j < end; j++) {
            double x = source[j][0], y = source[j][1], z = source[j][2], m = source[j][3];
#pragma GCC unroll 4
            for (int k = 0; k < TARGETS; k++) {
                lanes dx = x - t.x[k], dy = y - t.y[k], dz = z - t.z[k];
                lanes pull = m * pull_of(mixed, dx, dy, dz, &t, k, halves, j);
                ax[k] += pull * dx;
                ay[k] += pull * dy;
                az[k] += pull * dz;
            }
        }
        for (int k = 0; k < TARGETS; k++) {
            total[0][k] += ax[k];
            total[1][k] += ay[k];
            total[2][k] += az[k];
        }
    }
    for (size_t l = 0; l < WIDTH && l < count; l++)
        for (int c = 0; c < 3; c++)
            out[l][c] = total[c][l / LANES][l % LANES];
}

void OF_ISA(force_double)(size_t targets, const double (*target)[4], size_t sources,
                          const double (*source)[4], double softening, const double *target_halves,
                          const double *source_halves, double (*out)[3])
{
#pragma omp parallel for schedule(dynamic) num_threads(threads_for(targets, sources))
    for (size_t i = 0; i < targets; i += WIDTH)
        if (target_halves)
            accelerate(true, target + i, sources, source, softening, target_halves + i,
                       source_halves, targets - i, out + i);
        else
            accelerate(false, target + i, sources, source, softening, NULL, NULL, targets - i,
                       out + i);
}

INLINE void add_potential_tile(bool mixed, const double (*source)[4], const double *halves,
                               size_t sources, long long self, const struct block *t, lanes *total)
{
    lanes phi[TARGETS] = {0};
    lanes_int number;
    for (int l = 0; l < LANES; l++)
        number[l] = l;
    for (size_t j = 0; j < sources; j++) {
        double x = source[j][0], y = source[j][1], z = source[j][2], m = source[j][3];
        for (int k = 0; k < TARGETS; k++) {
            lanes dx = x - t->x[k], dy = y - t->y[k], dz = z - t->z[k];
            lanes term = m * phi_of(mixed, dx, dy, dz, t, k, halves, j);
            phi[k] += (lanes)((lanes_int)term & (number != self + (long long)j - k * LANES));
        }
    }
    for (int k = 0; k < TARGETS; k++)
        total[k] += phi[k];
}

void OF_ISA(force_double_potential)(size_t count, const double (*rows)[4], size_t first, size_t end,
                                    double softening, const double *halves, double *out)
{
#pragma omp parallel for schedule(dynamic) num_threads(threads_for(end - first, count))
    for (size_t i = first; i < end; i += WIDTH) {
        struct block t;
        lanes total[TARGETS] = {0};
        gather(rows + i, softening, halves ? halves + i : NULL, &t);
        for (size_t j = 0; j < count; j += FORCE_DIRECT_TILE) {
            size_t sources = smaller(FORCE_DIRECT_TILE, count - j);
            long long self = (long long)j - (long long)i;
            if (halves)
                add_potential_tile(true, rows + j, halves + j, sources, self, &t, total);
            else
                add_potential_tile(false, rows + j, NULL, sources, self, &t, total);
        }
        for (size_t l = 0; l < WIDTH && i + l < end; l++)
            out[i + l - first] = -total[l / LANES][l % LANES];
    }
}
