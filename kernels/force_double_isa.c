/* Compiled once an instruction set; FORCE_ISA is the suffix. */
#include "kernels/force_cpu.h"
#include "kernels/force_direct.h"

#include <math.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)

#if defined(__AVX512F__)
enum { LANES = 8, TARGETS = 4 };
#elif defined(__AVX2__)
enum { LANES = 4, TARGETS = 2 };
#else
enum { LANES = 2, TARGETS = 2 };
#endif

enum { WIDTH = LANES * TARGETS, WORTH_PAIRS = 512 * 512 };

_Static_assert(FORCE_PAD % WIDTH == 0, "rows are padded to whole groups of targets");

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef long long lanes_int __attribute__((vector_size(LANES * sizeof(long long))));

void JOIN(force_double, FORCE_ISA)(size_t targets, const double (*target)[4], size_t sources,
                                   const double (*source)[4], double softening, double (*out)[3]);
void JOIN(force_double_potential, FORCE_ISA)(size_t count, const double (*rows)[4],
                                             double softening, double *out);

static int threads_for(size_t targets, size_t sources)
{
    return targets * sources < WORTH_PAIRS ? 1 : force_cpu_threads();
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* x^(-1/2) within 4e-4 where there is an instruction for it, else within rounding; x fits in single
 * precision. */
static inline lanes estimate(lanes x)
{
#if defined(__AVX512F__)
    return (lanes)_mm512_rsqrt14_pd((__m512d)x);
#elif defined(__AVX2__)
    return (lanes)_mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps((__m256d)x)));
#elif defined(__SSE2__)
    return 1 / (lanes)_mm_sqrt_pd((__m128d)x);
#else
    lanes y;
    for (int l = 0; l < LANES; l++)
        y[l] = 1 / sqrt(x[l]);
    return y;
#endif
}

/* With h = 1 - x e^2, at most 8e-4: the series of (1 - h)^(-3/2) and (1 - h)^(-1/2), which end
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

struct block {
    lanes x[TARGETS], y[TARGETS], z[TARGETS];
};

static inline lanes column(const double (*rows)[4], int c)
{
    double values[LANES];
    lanes vector;
    for (int l = 0; l < LANES; l++)
        values[l] = rows[l][c];
    memcpy(&vector, values, sizeof vector);
    return vector;
}

static inline void gather(const double (*rows)[4], struct block *t)
{
    for (int k = 0; k < TARGETS; k++) {
        t->x[k] = column(rows + k * LANES, 0);
        t->y[k] = column(rows + k * LANES, 1);
        t->z[k] = column(rows + k * LANES, 2);
    }
}

void JOIN(force_double, FORCE_ISA)(size_t targets, const double (*target)[4], size_t sources,
                                   const double (*source)[4], double softening, double (*out)[3])
{
    double softening2 = softening * softening;

#pragma omp parallel for schedule(dynamic) num_threads(threads_for(targets, sources))
    for (size_t i = 0; i < targets; i += WIDTH) {
        struct block t;
        lanes total[3][TARGETS] = {{{0}}};
        gather(target + i, &t);
        for (size_t first = 0; first < sources; first += FORCE_DIRECT_TILE) {
            size_t end = smaller(first + FORCE_DIRECT_TILE, sources);
            lanes ax[TARGETS] = {0}, ay[TARGETS] = {0}, az[TARGETS] = {0};
            for (size_t j = first; j < end; j++) {
                double x = source[j][0], y = source[j][1], z = source[j][2], m = source[j][3];
#pragma GCC unroll 4
                for (int k = 0; k < TARGETS; k++) {
                    lanes dx = x - t.x[k], dy = y - t.y[k], dz = z - t.z[k];
                    lanes pull = m * inverse_cube(dx * dx + (dy * dy + (dz * dz + softening2)));
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
        for (size_t l = 0; l < WIDTH && i + l < targets; l++)
            for (int c = 0; c < 3; c++)
                out[i + l][c] = total[c][l / LANES][l % LANES];
    }
}

void JOIN(force_double_potential, FORCE_ISA)(size_t count, const double (*rows)[4],
                                             double softening, double *out)
{
    double softening2 = softening * softening;
    lanes_int number;
    for (int l = 0; l < LANES; l++)
        number[l] = l;

#pragma omp parallel for schedule(dynamic) num_threads(threads_for(count, count))
    for (size_t i = 0; i < count; i += WIDTH) {
        struct block t;
        lanes total[TARGETS] = {0};
        gather(rows + i, &t);
        for (size_t first = 0; first < count; first += FORCE_DIRECT_TILE) {
            size_t end = smaller(first + FORCE_DIRECT_TILE, count);
            lanes phi[TARGETS] = {0};
            for (size_t j = first; j < end; j++) {
                double x = rows[j][0], y = rows[j][1], z = rows[j][2], m = rows[j][3];
                for (int k = 0; k < TARGETS; k++) {
                    lanes dx = x - t.x[k], dy = y - t.y[k], dz = z - t.z[k];
                    lanes term = m * inverse(dx * dx + (dy * dy + (dz * dz + softening2)));
                    phi[k] += (lanes)((lanes_int)term & (number != (long long)(j - i) - k * LANES));
                }
            }
            for (int k = 0; k < TARGETS; k++)
                total[k] += phi[k];
        }
        for (size_t l = 0; l < WIDTH && i + l < count; l++)
            out[i + l] = -total[l / LANES][l % LANES];
    }
}
