/* Gravity of all pairs on the matrix units of a CUDA device (compute capability 8.0 and later).
 *
 * For the interactions of two tiles I and J, matrix units compute every sum of products. Left to
 * the other units, for both directions of a pair of bodies, are a reciprocal root, its cube and
 * half a conversion:
 *
 * - With offsets x_i, y_j from the tiles' centres, D from J's centre to I's, and lengths in a unit
 *   s near |D|, R^2 = r^2 + eps^2 = (D^2 + 2 D x + x^2 + eps^2) - 2 x y + (y^2 - 2 D y) is a
 *   product of depth 16. x and y are in two halves (22 bits), the sums besides them in three.
 * - w = R^-3, rounded to a half, already lies where the next product reads it.
 * - a_i = sum w m_j y_j - (D + x_i) sum w m_j, and a_j from the transpose of w: masses, and masses
 *   times offsets, in two halves are eight columns, exactly the width of a product.
 *
 * The value rounded to a half is the difference between w and the weight at the medians of the two
 * units of 64 bodies; the contribution of the median weight is added from the units' moments. This
 * requires R >= NEARNESS s, so that w does not overflow and differences keep their digits. Pairs of
 * units of 64 bodies that violate this are near, and so are units with a body of more than a
 * certain fraction of the total mass, and units that a spline softens. Near units use plain
 * interactions, each direction separately, in blocks of the same launch. With Plummer softening
 * eps^2 is the sum of two halves, one added to x^2 and one to y^2, so that every body may have its
 * own.
 *
 * The error is that of rounding w to 11 bits, as if the pulls of N bodies had independent random
 * errors: 4e-4 / sqrt(N) of the force for N equal masses in a sphere (RMS), N = (sum m)^2 / sum
 * m^2, and larger where the pulls on a body cancel.
 *
 * Bodies are sorted along Hilbert's curve for every evaluation. Partial sums have slots and are
 * added in double in a fixed order, so that results are bit-identical from run to run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* ---- the plan of all pairs on matrix units: tiles, waves and memory ---- */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TENSOR_UNIT = 64,   /* bodies that are near or far as a unit; a warp's share of a tile */
    TENSOR_GROUPS = 40, /* groups of distances in a wave, at most */
};

struct tensor_cuda_plan {
    size_t bodies, rows; /* rows: padded to whole tiles */
    unsigned warps;      /* warps per block, one per unit: 4 or 8 */
    unsigned tiles,
        distances; /* tiles / 2 + 1, as in the pairs scheme of kernels/pairs/cuda/force_plan.h */
    unsigned wave; /* distances handled in one launch */
    size_t slot_bytes, sort_bytes;
    size_t bytes; /* device memory needed, at least a double per body */
};

/* Groups of distances within a wave: g covers begin[g] to begin[g + 1] - 1, counted from the wave's
 * first. */
struct tensor_cuda_groups {
    unsigned count;
    unsigned short begin[TENSOR_GROUPS + 1];
};

/* Depends on the number of bodies alone, because waves and groups determine the order of additions.
 * sort_bytes and bytes are left to tensor_cuda_plan of tensor.h. */
void tensor_plan_tiles(size_t bodies, struct tensor_cuda_plan *plan);

/* Splits `distances` <= plan->wave into groups, large ones first, so that the last blocks are
 * short. */
void tensor_plan_groups(unsigned distances, struct tensor_cuda_groups *groups);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the device has the required features: cudaSuccess or the reason. */
int tensor_cuda_runs(int device);

/* bodies > 0 and below 2^26. Returns a cudaError_t. */
int tensor_cuda_plan(size_t bodies, struct tensor_cuda_plan *plan);

/* Call once before the first evaluation; masses must not change afterwards. Only launches. heavy: a
 * body with more than this fraction of the total mass is near to all others. */
int tensor_cuda_prepare(const struct tensor_cuda_plan *plan, const double *rows, double heavy,
                        void *work, void *stream);

/* Only launches. rows: x y z m in double. halves: eps^2 / 2 of each body (sim/gravity/force.h),
 * NULL if all have `softening`. spline: softening as in kernels/spline.h. acceleration
 * [bodies][3]. */
int tensor_cuda_accelerate(const struct tensor_cuda_plan *plan, const double *rows,
                           double softening, const double *halves, bool spline, void *work,
                           double *acceleration, void *stream);

#ifdef __cplusplus
}
#endif
