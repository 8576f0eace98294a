/* The layout of a tree's device memory, shared by the files of this directory. */
#pragma once

#include "kernels/exact_tree/cuda/stretch_cuda.h"
#include "kernels/exact_tree/exact_layout.h"

#include <cuda_runtime.h>

enum {
    WARP = 32,
    THREADS = 256,
    SURVEYORS = EXACT_TREE_SURVEYORS,
    WALKERS = 20, /* warps per multiprocessor that walk at once */
};

struct exact_tree_space {
    struct exact_tree_head *head;
    struct exact_tree_share *share; /* [SURVEYORS] */
    unsigned long long *key[2];     /* [bodies] each; sorted: 1 */
    unsigned *order[2];
    struct exact_tree tree;
    unsigned *parent, *arrived; /* [bodies] */
    struct exact_tree_turns turns;
    unsigned *stack; /* [warps][EXACT_TREE_STACK] */
    void *scratch;   /* memory of sorting */
};

/* work NULL: only *bytes is computed. */
struct exact_tree_space exact_tree_space_of(const struct exact_tree_cuda_plan *plan, void *work,
                                            size_t *bytes);

/* Bytes of scratch memory that sorting keys needs. */
int exact_tree_cuda_scratch(size_t bodies, size_t *bytes);

/* The bodies whose order is sought; number NULL: that is their index. */
struct exact_tree_ties {
    const double *position;
    unsigned stride;
    const uint32_t *number;
    unsigned number_stride;

    __device__ const double *position_of(unsigned body) const
    {
        return position + (size_t)body * stride;
    }
    __device__ uint32_t number_of(unsigned body) const
    {
        return number ? number[(size_t)body * number_stride] : body;
    }
};

/* Puts bodies with equal keys, which are sorted, in the order of exact_tree_precedes. fine [count]:
 * scratch. */
int exact_tree_cuda_order_equal(size_t count, const unsigned long long *key,
                                const struct exact_tree_head *head,
                                const struct exact_tree_ties &of, unsigned long long *fine,
                                unsigned *order, cudaStream_t stream);

/* The stages. last: accelerations of the last evaluation, NULL: not used. */
int exact_tree_cuda_sort(const struct exact_tree_cuda_plan *plan,
                         const struct exact_tree_space *space, const double *rows,
                         const double *halves, const double *last, double softening,
                         cudaStream_t stream);
int exact_tree_cuda_fill(const struct exact_tree_cuda_plan *plan,
                         const struct exact_tree_space *space, cudaStream_t stream);
/* The statistics after a first evaluation, if there was one. */
int exact_tree_cuda_census(const struct exact_tree_cuda_plan *plan,
                           const struct exact_tree_space *space, const double *last,
                           cudaStream_t stream);

int exact_tree_cuda_walk(const struct exact_tree_cuda_plan *plan,
                         const struct exact_tree_space *space, enum exact_tree_kind kind,
                         const struct exact_tree_rule *rule, double *out, cudaStream_t stream);

static inline unsigned blocks_for(size_t items)
{
    return (unsigned)((items + THREADS - 1) / THREADS);
}
