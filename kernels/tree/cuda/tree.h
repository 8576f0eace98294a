/* Gravity by a tree on a CUDA device: the method of sim/gravity/tree/gravity.h with a launch per
 * stage.
 *
 * Keys and their order (a radix sort), octree, moments; then lists of the cells that act on each
 * cell, for large cells wave by wave, each from what the cells above left open, and below them by a
 * warp for each small one and all its subtree, depth first. Cells in between are passed over, by
 * sinks and sources alike, so that lists are symmetric. Then lists are worked off: a warp a cell
 * with a lane per source; the expansions of all cells above a leaf are brought to its centre; a
 * warp a leaf, with lanes for targets. Every sum has an order that the tree alone decides, so that
 * the bits are the same from run to run.
 *
 * Leaves hold at most TREE_CUDA_LEAF bodies, unless they are in one place or there would be more
 * cells than there is room for: then the tree ends at a higher level. */
#ifndef KERNELS_TREE_CUDA_TREE_H
#define KERNELS_TREE_CUDA_TREE_H

#include "kernels/tree/accuracy.h"
#include "kernels/tree/cuda/layout.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* bodies > 0 and below 2^31; error: for the room that lists take. Returns a cudaError_t. */
int tree_cuda_plan(size_t bodies, double error, int order, bool mixed, bool spline,
                   int multiprocessors, struct tree_cuda_plan *plan);

/* Whose accelerations are computed: those of the bodies from that rung on; rungs NULL: of all. A
 * body's are the same bits whoever else's are asked for, and the others' stay; where no last ones
 * are known, all get them. */
struct tree_cuda_sinks {
    const uint8_t *rungs; /* beside the rows */
    int from;
};

/* All only launch. rows: x y z m in double; halves: eps^2 / 2 beside them, or NULL where the plan
 * is not mixed. acceleration [bodies][3]: the last ones, all zero where there are none; those of
 * the sinks replaced. */
int tree_cuda_accelerate(const struct tree_cuda_plan *plan, const struct tree_cuda_rule *rule,
                         const double *rows, const double *halves, double softening,
                         struct tree_cuda_sinks sinks, void *work, double *acceleration,
                         void *stream);

/* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2), joined by rule->opening alone; may be the
 * beginning of `work`. */
int tree_cuda_potential(const struct tree_cuda_plan *plan, const struct tree_cuda_rule *rule,
                        const double *rows, const double *halves, double softening, void *work,
                        double *out, void *stream);

/* Waits for the stream. */
int tree_cuda_last(const struct tree_cuda_plan *plan, const void *work, struct tree_cuda_work *out,
                   void *stream);

#ifdef __cplusplus
}
#endif

#endif
