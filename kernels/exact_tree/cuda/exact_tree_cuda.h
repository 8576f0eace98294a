/* The tree of the force `tree-exact` on a CUDA device: every sum as in sim/gravity/exact_tree on
 * the CPU, and therefore the same bits.
 *
 * The stages are keys, a radix sort of (key, body), one thread per cell to find its cut (T. Karras,
 * 2012), moments from the leaves upwards, by the thread that arrives second at a cell, and then one
 * warp per group of bodies: its lanes judge the cells of a batch and then act as the sinks of the
 * sources found. Atomic operations add integers only. */
#pragma once

#include "kernels/exact_tree/exact_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0 < bodies < 2^31. Returns a cudaError_t. */
int exact_tree_cuda_plan(size_t bodies, bool mixed, int multiprocessors,
                         struct exact_tree_cuda_plan *plan);

/* These functions only launch. rows: x y z m in double. halves: eps^2 / 2 of each row, or NULL if
 * the plan is not mixed. acceleration [bodies][3]: the accelerations of the last evaluation, all
 * zero if there are none; replaced. If a row is not finite or a mass is below 0, all results are
 * NaN. first: the rule of an evaluation without known accelerations. */
int exact_tree_cuda_accelerate(const struct exact_tree_cuda_plan *plan,
                               const struct exact_tree_rule *first,
                               const struct exact_tree_rule *rule, const double *rows,
                               const double *halves, double softening, void *work,
                               double *acceleration, void *stream);

/* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2); out may be the beginning of `work`. */
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
