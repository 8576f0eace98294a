/* Gravity by a tree on a CUDA device: the method of sim/gravity/tree/tree_gravity.h with one launch
 * per stage.
 *
 * The stages are keys and their order (a radix sort), the octree, moments, and then, for each cell,
 * the list of the cells that act on it. Large cells are settled wave by wave, each starting from
 * the cells that its parent left open; below them, one warp per small cell walks the whole subtree
 * depth first. Sinks and sources alike skip the cells in between, so that lists are symmetric. The
 * lists are then evaluated: one warp per cell with one lane per source; the expansions of all cells
 * above a leaf are shifted to its centre; one warp per leaf, with targets as lanes. The order of
 * every sum depends on the tree alone, so results are bit-identical from run to run.
 *
 * Leaves hold at most TREE_CUDA_LEAF bodies, unless more bodies lie at one point or there would be
 * too many cells: in that case the tree ends at a higher level. */
#pragma once

#include "kernels/tree/accuracy.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* bodies > 0 and below 2^31; error sets the capacity of the lists. Returns a cudaError_t. */
int tree_cuda_plan(size_t bodies, double error, int order, bool mixed, bool spline,
                   int multiprocessors, struct tree_cuda_plan *plan);

/* The bodies whose accelerations are computed: those from the given rung on; rungs NULL: all. A
 * body's result does not depend on which other bodies are sinks, to the bit, and the accelerations
 * of other bodies are left unchanged. If no last accelerations are known, all bodies are sinks. */
struct tree_cuda_sinks {
    const uint8_t *rungs; /* of the rows */
    int from;
};

/* These functions only launch. known: a former evaluation with the same work had known
 * accelerations (struct tree_cuda_work); this makes a later one faster. rows: x y z m in double.
 * halves: eps^2 / 2 of each row, or NULL if the plan is not mixed. acceleration [bodies][3]: the
 * accelerations of the last evaluation, all zero if there are none; those of the sinks are
 * replaced. */
int tree_cuda_accelerate(const struct tree_cuda_plan *plan, const struct tree_cuda_rule *rule,
                         const double *rows, const double *halves, double softening,
                         struct tree_cuda_sinks sinks, bool known, void *work, double *acceleration,
                         void *stream);

/* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2), with cells joined by rule->opening alone. out may
 * be the beginning of `work`. */
int tree_cuda_potential(const struct tree_cuda_plan *plan, const struct tree_cuda_rule *rule,
                        const double *rows, const double *halves, double softening, void *work,
                        double *out, void *stream);

/* Waits for the stream. */
int tree_cuda_last(const struct tree_cuda_plan *plan, const void *work, struct tree_cuda_work *out,
                   void *stream);

#ifdef __cplusplus
}
#endif
