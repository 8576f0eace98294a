/* Compiled once per instruction set, see isa.h, with contraction switched off, and again with
 * KERNEL_SPLINE for spline softening. */
#include "kernels/pairs/force_cpu.h"
#include "kernels/lanes.h"
#include "kernels/isa.h"
#include "kernels/rows.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { WIDTH = LANES * TARGETS };

/* With no more pairs than this, a twelfth of a millisecond, waking the other threads takes longer
 * than the work. */
enum { WORTH_PAIRS = 512 * 512 };

_Static_assert(FORCE_PAD % WIDTH == 0, "rows are padded to whole groups of targets");

static int threads_for(size_t targets, size_t sources)
{
    return targets * sources <= WORTH_PAIRS ? 1 : force_cpu_threads();
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* A block of targets; softening2 is eps^2 or, if the sources have halves, the targets' halves. */
struct block {
    lanes x[TARGETS], y[TARGETS], z[TARGETS], softening2[TARGETS];
};

INLINE lanes column(const float (*rows)[4], int c)
{
    float values[LANES];
    lanes vector;
    for (int l = 0; l < LANES; l++)
        values[l] = rows[l][c];
    memcpy(&vector, values, sizeof vector);
    return vector;
}

INLINE void gather(const float (*rows)[4], float softening, const float *halves, struct block *t)
{
    for (int k = 0; k < TARGETS; k++) {
        t->x[k] = column(rows + k * LANES, 0);
        t->y[k] = column(rows + k * LANES, 1);
        t->z[k] = column(rows + k * LANES, 2);
        t->softening2[k] = everywhere(softening * softening);
        if (halves)
            memcpy(&t->softening2[k], halves + k * LANES, sizeof t->softening2[k]);
    }
}

/* Moves the targets to offsets from the sources' centre. */
INLINE void move(const struct block *t, force_centres targets, size_t target, force_centres sources,
                 size_t source, struct block *moved)
{
    float shift[3];
    force_shift(targets, target / FORCE_TILE, sources, source / FORCE_TILE, shift);
    for (int k = 0; k < TARGETS; k++) {
        moved->x[k] = t->x[k] - shift[0];
        moved->y[k] = t->y[k] - shift[1];
        moved->z[k] = t->z[k] - shift[2];
        moved->softening2[k] = t->softening2[k];
    }
}

INLINE lanes sum_of(bool exact, lanes a, lanes b, lanes c)
{
    return exact ? fused(a, b, c) : multiply_add(a, b, c);
}

INLINE lanes softened(bool exact, lanes dx, lanes dy, lanes dz, lanes softening2)
{
    return sum_of(exact, dx, dx, sum_of(exact, dy, dy, sum_of(exact, dz, dz, softening2)));
}

#ifdef KERNEL_SPLINE

INLINE lanes spline_root(lanes x)
{
    return exact_inverse(x);
}

#define SPLINE_REAL         float
#define SPLINE_FMA(a, b, c) fused(a, b, c)
#define SPLINE_CONST(x)     everywhere((float)(x))
#include "kernels/spline_lanes.h"

INLINE lanes half_of(bool mixed, const struct block *t, int k, const float *halves, size_t j)
{
    return mixed ? spline_larger(t->softening2[k], everywhere(halves[j])) : t->softening2[0] / 2;
}

INLINE lanes pull_of(bool exact, bool mixed, lanes dx, lanes dy, lanes dz, const struct block *t,
                     int k, const float *halves, size_t j)
{
    lanes r2 = softened(exact, dx, dy, dz, everywhere(0));
    lanes point = exact ? exact_inverse_cube(r2) : quick_inverse_cube(r2);
    return spline_pull(r2, half_of(mixed, t, k, halves, j), point, 1);
}

INLINE lanes phi_of(bool mixed, lanes dx, lanes dy, lanes dz, const struct block *t, int k,
                    const float *halves, size_t j)
{
    lanes r2 = softened(true, dx, dy, dz, everywhere(0));
    return spline_phi(r2, half_of(mixed, t, k, halves, j), exact_inverse(r2));
}

#endif

INLINE void add_lanes(double *restrict sum, const lanes *restrict part)
{
    for (int k = 0; k < TARGETS; k++)
        for (int l = 0; l < LANES; l++)
            sum[k * LANES + l] += (double)part[k][l];
}

INLINE void add_tile(bool exact, bool mixed, const float (*restrict source)[4],
                     const float *restrict halves, size_t sources, const struct block *restrict t,
                     double (*restrict group)[WIDTH])
{
    lanes ax[TARGETS] = {0}, ay[TARGETS] = {0}, az[TARGETS] = {0};
    for (size_t j = 0; j < sources; j++) {
        float x = source[j][0], y = source[j][1], z = source[j][2], m = source[j][3];
#pragma GCC unroll 4
        for (int k = 0; k < TARGETS; k++) {
            lanes dx = x - t->x[k], dy = y - t->y[k], dz = z - t->z[k];
#ifdef KERNEL_SPLINE
            lanes pull = m * pull_of(exact, mixed, dx, dy, dz, t, k, halves, j);
#else
            lanes softening2 = mixed ? t->softening2[k] + halves[j] : t->softening2[0];
            lanes r2 = softened(exact, dx, dy, dz, softening2);
            lanes pull = m * (exact ? exact_inverse_cube(r2) : quick_inverse_cube(r2));
#endif
            ax[k] = sum_of(exact, pull, dx, ax[k]);
            ay[k] = sum_of(exact, pull, dy, ay[k]);
            az[k] = sum_of(exact, pull, dz, az[k]);
        }
    }
    add_lanes(group[0], ax);
    add_lanes(group[1], ay);
    add_lanes(group[2], az);
}

/* Accelerations of the targets from `place` on. */
INLINE void accelerate(bool exact, bool mixed, size_t place, const float (*target)[4],
                       size_t sources, const float (*source)[4], float softening,
                       const float *target_halves, const float *halves,
                       force_centres target_centres, force_centres centres, size_t count,
                       double (*out)[3])
{
    size_t step = force_direct_share(sources) * FORCE_DIRECT_TILE;
    struct block t, moved;
    double total[3][WIDTH] = {{0}};
    gather(target, softening, target_halves, &t);
    for (size_t first = 0; first < sources; first += step) {
        size_t end = smaller(first + step, sources);
        double group[3][WIDTH] = {{0}};
        for (size_t j = first; j < end; j += FORCE_DIRECT_TILE) {
            move(&t, target_centres, place, centres, j, &moved);
            add_tile(exact, mixed, source + j, mixed ? halves + j : NULL,
                     smaller(FORCE_DIRECT_TILE, end - j), &moved, group);
        }
        for (int c = 0; c < 3; c++)
            for (int l = 0; l < WIDTH; l++)
                total[c][l] += group[c][l];
    }
    for (size_t l = 0; l < WIDTH && l < count; l++)
        for (int c = 0; c < 3; c++)
            out[l][c] = total[c][l];
}

void OF_ISA(force_exact)(size_t targets, const float (*target)[4], size_t sources,
                         const float (*source)[4], float softening, const float *target_halves,
                         const float *source_halves, force_centres target_centres,
                         force_centres source_centres, double (*out)[3])
{
#pragma omp parallel for schedule(dynamic) num_threads(threads_for(targets, sources))
    for (size_t i = 0; i < targets; i += WIDTH)
        if (target_halves)
            accelerate(true, true, i, target + i, sources, source, softening, target_halves + i,
                       source_halves, target_centres, source_centres, targets - i, out + i);
        else
            accelerate(true, false, i, target + i, sources, source, softening, NULL, NULL,
                       target_centres, source_centres, targets - i, out + i);
}

void OF_ISA(force_quick)(size_t targets, const float (*target)[4], size_t sources,
                         const float (*source)[4], float softening, const float *target_halves,
                         const float *source_halves, force_centres target_centres,
                         force_centres source_centres, double (*out)[3])
{
#pragma omp parallel for schedule(dynamic) num_threads(threads_for(targets, sources))
    for (size_t i = 0; i < targets; i += WIDTH)
        if (target_halves)
            accelerate(false, true, i, target + i, sources, source, softening, target_halves + i,
                       source_halves, target_centres, source_centres, targets - i, out + i);
        else
            accelerate(false, false, i, target + i, sources, source, softening, NULL, NULL,
                       target_centres, source_centres, targets - i, out + i);
}

INLINE void add_potential_tile(bool mixed, const float (*restrict source)[4],
                               const float *restrict halves, size_t sources, ptrdiff_t self,
                               const struct block *restrict t, double *total)
{
    lanes phi[TARGETS] = {0};
    lanes_int number;
    for (int l = 0; l < LANES; l++)
        number[l] = l;
    for (size_t j = 0; j < sources; j++) {
        float x = source[j][0], y = source[j][1], z = source[j][2], m = source[j][3];
        ptrdiff_t place = (ptrdiff_t)j + self;
        int lane = place >= 0 && place < WIDTH ? (int)place : -1;
#pragma GCC unroll 4
        for (int k = 0; k < TARGETS; k++) {
            lanes dx = x - t->x[k], dy = y - t->y[k], dz = z - t->z[k];
#ifdef KERNEL_SPLINE
            lanes term = phi_of(mixed, dx, dy, dz, t, k, halves, j);
#else
            lanes softening2 = mixed ? t->softening2[k] + halves[j] : t->softening2[0];
            lanes term = exact_inverse(softened(true, dx, dy, dz, softening2));
#endif
            term = (lanes)((lanes_int)term & (number != lane - k * LANES));
            phi[k] = fused(everywhere(m), term, phi[k]);
        }
    }
    add_lanes(total, phi);
}

/* A single group: the tiles' sums are added to the total one by one. */
void OF_ISA(force_exact_potential)(size_t count, const float (*rows)[4], size_t first, size_t end,
                                   float softening, const float *halves, force_centres centres,
                                   double *out)
{
#pragma omp parallel for schedule(dynamic) num_threads(threads_for(end - first, count))
    for (size_t i = first; i < end; i += WIDTH) {
        struct block t, moved;
        double total[WIDTH] = {0};
        gather(rows + i, softening, halves ? halves + i : NULL, &t);
        for (size_t j = 0; j < count; j += FORCE_DIRECT_TILE) {
            size_t sources = smaller(FORCE_DIRECT_TILE, count - j);
            ptrdiff_t self = (ptrdiff_t)j - (ptrdiff_t)i;
            move(&t, centres, i, centres, j, &moved);
            if (halves)
                add_potential_tile(true, rows + j, halves + j, sources, self, &moved, total);
            else
                add_potential_tile(false, rows + j, NULL, sources, self, &moved, total);
        }
        for (size_t l = 0; l < WIDTH && i + l < end; l++)
            out[i + l - first] = -total[l];
    }
}
