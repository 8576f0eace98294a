/* Distances to neighbours on a CUDA device, as sim/gravity/tree/neighbours.h has them: the same
 * bits, since both compute a distance in IEEE operations of double precision and pick the k-th
 * smallest.
 *
 * Bodies in the order of Hilbert's curve stand in chunks of 32, boxes around 32 of these in turn. A
 * warp a chunk looks for one of its bodies after the other within little more than the distance
 * found last, with a lane a candidate, and picks the k-th of those that it meets. What is not found
 * so, and all in a first search, a lane a body looks for in all boxes that may hold a nearer one.
 */
#ifndef KERNELS_TREE_CUDA_NEIGHBOURS_H
#define KERNELS_TREE_CUDA_NEIGHBOURS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct neighbours_cuda_plan {
    size_t bodies; /* that take part */
    unsigned k;
    size_t sort_bytes, bytes; /* of device memory to work in */
};

/* bodies: > 0 and below 2^31; k: from 1 to 64. Returns a cudaError_t. */
int neighbours_cuda_plan(size_t bodies, unsigned k, struct neighbours_cuda_plan *plan);

/* Only launches. position: x y z of all `count` bodies; of: which plan->bodies of them take part,
 * NULL: all. distance [count]: to the k-th nearest other one, INFINITY where there are not so many
 * and for a body that takes no part. work: all zero before the first search; what one has found
 * makes the next one quicker and changes nothing else. */
int neighbours_cuda_find(const struct neighbours_cuda_plan *plan, size_t count,
                         const double *position, const unsigned *of, void *work, float *distance,
                         void *stream);

/* After neighbours_cuda_find of `distance` with the same work; only launches. velocity [count][4]:
 * vx vy vz and another number. dispersion [count]: as COLUMN_DISPERSION of sim/view.h has it, from
 * sums in double precision in an order that the positions decide; 0 for a body that takes no part.
 */
int neighbours_cuda_dispersion(const struct neighbours_cuda_plan *plan, size_t count,
                               const float *velocity, const unsigned *of, void *work,
                               const float *distance, float *dispersion, void *stream);

#ifdef __cplusplus
}
#endif

#endif
