/* Compiled once per instruction set, see isa.h. */
#include "kernels/pairs/force_cpu.h"
#include "kernels/isa.h"
#include "kernels/lanes.h"

#include <string.h>

/* Number of sources in a float sum before it is added to a double: longer sums lose digits, shorter
 * ones cost time. */
enum { BLOCK = 512, WIDTH = LANES * TARGETS };

_Static_assert(BLOCK % FORCE_TILE == 0, "a float sum runs over whole tiles");

/* With fewer bodies than this, waking the other threads takes longer than the work. */
enum { WORTH_THREADS = 512 };

_Static_assert(FORCE_PAD % WIDTH == 0, "rows are padded to whole groups of targets");

static int threads_for(size_t count)
{
    return count < WORTH_THREADS ? 1 : force_cpu_threads();
}

struct targets {
    lanes x[TARGETS], y[TARGETS], z[TARGETS];
};

static inline lanes gather_lanes(const float (*rows)[4], int column)
{
    float values[LANES];
    lanes vector;
    for (int l = 0; l < LANES; l++)
        values[l] = rows[l][column];
    memcpy(&vector, values, sizeof vector);
    return vector;
}

static inline void gather(const float (*rows)[4], struct targets *targets)
{
    for (int k = 0; k < TARGETS; k++) {
        targets->x[k] = gather_lanes(rows + k * LANES, 0);
        targets->y[k] = gather_lanes(rows + k * LANES, 1);
        targets->z[k] = gather_lanes(rows + k * LANES, 2);
    }
}

/* Moves the targets, which start at row `first`, to offsets from the centre of row `other`. */
static inline void move(const struct targets *t, force_centres centres, size_t first, size_t other,
                        struct targets *moved)
{
    float shift[3];
    force_shift(centres, first / FORCE_TILE, centres, other / FORCE_TILE, shift);
    for (int k = 0; k < TARGETS; k++) {
        moved->x[k] = t->x[k] - shift[0];
        moved->y[k] = t->y[k] - shift[1];
        moved->z[k] = t->z[k] - shift[2];
    }
}

static inline size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* With the estimate e of r2^(-1/2) and h = 1 - r2 e^2, which is small, r2^(-3/2) is
 * e^3 (1 - h)^(-3/2) = e^3 (1 + 3/2 h + 15/8 h^2 + ...): cheaper than refining e first. */
static inline lanes inverse_cube(lanes r2, float mass)
{
    lanes e = lanes_rsqrt_estimate(r2);
    lanes e2 = e * e;
    lanes h = 1 - r2 * e2;
    lanes series = ESTIMATE_TERMS == 1 ? 1 + 1.5f * h : 1 + h * (1.5f + 1.875f * h);
    return mass * e * e2 * series;
}

static inline lanes inverse(lanes r2, float mass)
{
    lanes e = lanes_rsqrt_estimate(r2);
    lanes h = 1 - r2 * (e * e);
    lanes series = ESTIMATE_TERMS == 1 ? 1 + 0.5f * h : 1 + h * (0.5f + 0.375f * h);
    return mass * e * series;
}

/* Accelerations of the targets from row `place` on due to the sources first .. end - 1. */
static inline void block_acceleration(const float (*restrict rows)[4], size_t first, size_t end,
                                      const struct targets *restrict t, force_centres centres,
                                      size_t place, float softening2,
                                      double (*restrict total)[WIDTH])
{
    lanes ax[TARGETS] = {0}, ay[TARGETS] = {0}, az[TARGETS] = {0};
    for (size_t tile = first; tile < end; tile += FORCE_TILE) {
        struct targets at;
        move(t, centres, place, tile, &at);
        for (size_t j = tile; j < smaller(tile + FORCE_TILE, end); j++) {
            float x = rows[j][0], y = rows[j][1], z = rows[j][2], m = rows[j][3];
#pragma GCC unroll 4
            for (int k = 0; k < TARGETS; k++) {
                lanes dx = x - at.x[k], dy = y - at.y[k], dz = z - at.z[k];
                lanes pull = inverse_cube(dx * dx + (dy * dy + (dz * dz + softening2)), m);
                ax[k] += pull * dx;
                ay[k] += pull * dy;
                az[k] += pull * dz;
            }
        }
    }
    for (int k = 0; k < TARGETS; k++)
        for (int l = 0; l < LANES; l++) {
            total[0][k * LANES + l] += (double)ax[k][l];
            total[1][k * LANES + l] += (double)ay[k][l];
            total[2][k * LANES + l] += (double)az[k][l];
        }
}

static void group_acceleration(size_t count, const float (*rows)[4], size_t first, float softening2,
                               force_centres centres, double (*out)[3])
{
    struct targets targets;
    double total[3][WIDTH] = {{0}};
    gather(rows + first, &targets);
    for (size_t j = 0; j < count; j += BLOCK)
        block_acceleration(rows, j, smaller(j + BLOCK, count), &targets, centres, first, softening2,
                           total);
    for (size_t l = 0; l < WIDTH && first + l < count; l++)
        for (int c = 0; c < 3; c++)
            out[first + l][c] = total[c][l];
}

void OF_ISA(force_square)(size_t count, const float (*rows)[4], float softening,
                          force_centres centres, double (*out)[3])
{
    for (size_t i = 0; i < count; i += WIDTH)
        group_acceleration(count, rows, i, softening * softening, centres, out);
}

void OF_ISA(force_square_shared)(size_t count, const float (*rows)[4], float softening,
                                 force_centres centres, double (*out)[3])
{
#pragma omp parallel for schedule(dynamic) num_threads(threads_for(count))
    for (size_t i = 0; i < count; i += WIDTH)
        group_acceleration(count, rows, i, softening * softening, centres, out);
}

void OF_ISA(force_square_potential)(size_t count, const float (*rows)[4], size_t first, size_t end,
                                    float softening, force_centres centres, double *out)
{
    float softening2 = softening * softening;

#pragma omp parallel for schedule(dynamic) num_threads(threads_for(count))
    for (size_t i = first; i < end; i += WIDTH) {
        struct targets t, at;
        lanes_int self[TARGETS];
        double total[WIDTH] = {0};
        gather(rows + i, &t);
        at = t;
        for (int k = 0; k < TARGETS; k++)
            for (int l = 0; l < LANES; l++)
                self[k][l] = k * LANES + l;

        for (size_t block = 0; block < count; block += BLOCK) {
            size_t last = smaller(block + BLOCK, count);
            lanes phi[TARGETS] = {0};
            for (size_t j = block; j < last; j++) {
                if (j % FORCE_TILE == 0)
                    move(&t, centres, i, j, &at);
                float x = rows[j][0], y = rows[j][1], z = rows[j][2], m = rows[j][3];
                int place = j - i < WIDTH ? (int)(j - i) : -1;
#pragma GCC unroll 4
                for (int k = 0; k < TARGETS; k++) {
                    lanes dx = x - at.x[k], dy = y - at.y[k], dz = z - at.z[k];
                    lanes term = inverse(dx * dx + (dy * dy + (dz * dz + softening2)), m);
                    phi[k] += (lanes)((lanes_int)term & (self[k] != place));
                }
            }
            for (int k = 0; k < TARGETS; k++)
                for (int l = 0; l < LANES; l++)
                    total[k * LANES + l] -= (double)phi[k][l];
        }
        for (size_t l = 0; l < WIDTH && i + l < end; l++)
            out[i + l - first] = total[l];
    }
}
