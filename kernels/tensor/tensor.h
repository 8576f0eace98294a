/* Gravity of all pairs on the matrix units of a CUDA device (compute capability 8.0 and later).
 *
 * Of the interactions of two tiles I and J matrix units do all that is a sum of products; for both
 * directions of a pair of bodies a reciprocal root, its cube and half a conversion are left:
 *
 * - With offsets x_i, y_j from the tiles' centres, D from J's centre to I's, and lengths in a unit
 *   s near |D|, R^2 = r^2 + eps^2 = (D^2 + 2 D x + x^2 + eps^2) - 2 x y + (y^2 - 2 D y) is a
 *   product of depth 16. x and y are in two halves (22 bits), the sums beside them in three.
 * - w = R^-3, rounded to a half, lies where the next product reads it.
 * - a_i = sum w m_j y_j - (D + x_i) sum w m_j, and a_j from the transpose of w: masses and masses
 *   times offsets in two halves are eight columns, exactly what a product has.
 *
 * What is rounded to a half is the difference of w from that of the medians of two units of 64
 * bodies, whose part is added from the units' moments. It needs R >= NEARNESS s, so that w does not
 * overflow and differences keep their digits. Units of 64 bodies between which that does not hold
 * are near, and so are those with a body of more than a certain part of all mass, and those that a
 * spline softens: plain interactions, each direction for itself, in blocks of the same launch. With
 * Plummer's softening eps^2 is the sum of two halves, one beside x^2 and one beside y^2, so that
 * every body may have its own.
 *
 * Errors are those of rounding w to 11 bits, as if the pulls of N bodies were each wrong by chance:
 * 4e-4 / sqrt(N) of the force for N equal masses in a sphere (RMS), N = (sum m)^2 / sum m^2, and
 * more where the pulls on a body cancel.
 *
 * Bodies are sorted along Hilbert's curve for every evaluation. Partial sums have slots and are
 * added in double in one order, so that the bits are the same from run to run. */
#ifndef KERNELS_TENSOR_TENSOR_H
#define KERNELS_TENSOR_TENSOR_H

#include "kernels/tensor/plan.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the device has what it takes: cudaSuccess or the reason. */
int tensor_cuda_runs(int device);

/* bodies > 0 and below 2^26. Returns a cudaError_t. */
int tensor_cuda_plan(size_t bodies, struct tensor_cuda_plan *plan);

/* Once, before the first evaluation, for masses, which stay; only launches. heavy: a body of more
 * than this part of all mass is near to all others. */
int tensor_cuda_prepare(const struct tensor_cuda_plan *plan, const double *rows, double heavy,
                        void *work, void *stream);

/* Only launches. rows: x y z m in double; halves: eps^2 / 2 of each body (sim/gravity/softening.h),
 * NULL where all have `softening`; spline: softened as in kernels/spline.h. acceleration
 * [bodies][3]. */
int tensor_cuda_accelerate(const struct tensor_cuda_plan *plan, const double *rows,
                           double softening, const double *halves, bool spline, void *work,
                           double *acceleration, void *stream);

#ifdef __cplusplus
}
#endif

#endif
