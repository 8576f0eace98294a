/* The tree of the force `tree-exact` on a CUDA device: sum by sum what sim/gravity/exact_tree does
 * on the CPU, and so the same bits.
 *
 * Keys, a radix sort of (key, body), a thread a cell to find where it is cut (T. Karras, 2012),
 * moments from the leaves upwards by the thread that comes second to a cell, then a warp a group of
 * bodies: lanes judge the cells of a batch, and are the sinks of what was found. What is added by
 * atomic operations is whole numbers. */
#ifndef KERNELS_EXACT_TREE_CUDA_TREE_H
#define KERNELS_EXACT_TREE_CUDA_TREE_H

#include "kernels/exact_tree/cuda/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0 < bodies < 2^31. Returns a cudaError_t. */
int exact_tree_cuda_plan(size_t bodies, bool mixed, int multiprocessors,
                         struct exact_tree_cuda_plan *plan);

/* All only launch. rows: x y z m in double; halves: eps^2 / 2 beside them, or NULL where the plan
 * is not mixed. acceleration [bodies][3]: the last ones, all zero where there are none; replaced.
 * Where a row is not finite, or a mass below 0, all become NaN. first: of an evaluation where
 * nothing is known. */
int exact_tree_cuda_accelerate(const struct exact_tree_cuda_plan *plan,
                               const struct exact_tree_rule *first,
                               const struct exact_tree_rule *rule, const double *rows,
                               const double *halves, double softening, void *work,
                               double *acceleration, void *stream);

/* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2); may be the beginning of `work`. */
int exact_tree_cuda_potential(const struct exact_tree_cuda_plan *plan,
                              const struct exact_tree_rule *rule, const double *rows,
                              const double *halves, double softening, void *work, double *out,
                              void *stream);

/* Waits for the stream. */
int exact_tree_cuda_last(const struct exact_tree_cuda_plan *plan, const void *work,
                         struct exact_tree_cuda_work *out, void *stream);

#ifdef __cplusplus
}
#endif

#endif
