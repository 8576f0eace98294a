/* Builds the tree over the bodies, on the CPU. */
#pragma once

#include "base/status.h"
#include "kernels/exact_tree/exact_layout.h"

struct exact_tree_build {
    struct exact_tree tree;
    uint32_t first; /* number of its first body among those of all ranks (sim/ranks); 0: alone */
    struct exact_tree_frame frame;
    uint64_t *key, *spare_key;
    uint32_t *order, *spare_order;
};

/* STATUS_RUNTIME: no memory. */
enum status exact_tree_open(struct exact_tree_build *build, size_t bodies);
void exact_tree_close(struct exact_tree_build *build); /* accepts all zero */

/* Sorts the bodies. rows, halves: as in exact_gravity.h. */
void exact_tree_sort(struct exact_tree_build *build, const double (*rows)[4], const double *halves,
                     double softening, int threads);

/* Computes cells and their moments. */
void exact_tree_fill(struct exact_tree_build *build, int threads);

/* The parts of the two, for a caller that has some of the bodies only. Keys of bodies whose
 * positions lie `stride` doubles apart; half: eps^2 / 2 of each, or NULL where the frame has one
 * kind: */
void exact_tree_keys(const struct exact_tree_frame *frame, const double *position, size_t stride,
                     const double *half, size_t half_stride, size_t count, uint64_t *key,
                     int threads);
/* Puts bodies with equal keys, which keys_sort has sorted, in the order of exact_tree_precedes.
 * numbers: of the bodies, `number_stride` apart; NULL: their indices. */
void exact_tree_order_equal(const struct exact_tree_frame *frame, const uint64_t *key,
                            uint32_t *order, size_t count, const double *position, size_t stride,
                            const uint32_t *number, size_t number_stride);
/* Fills the cell with bodies `first` to `last`, more than one, and everything below it. Called by
 * one thread of a parallel region, whose others share the work. */
void exact_tree_fill_cell(const struct exact_tree_build *build, uint32_t cell, uint32_t first,
                          uint32_t last);

/* Number of leading bits that the keys of the bodies at two places share; equal keys are
 * distinguished by place. */
static inline int exact_tree_shared(uint64_t key, uint64_t other, uint32_t place,
                                    uint32_t other_place)
{
    const uint64_t differ = key ^ other;
    return differ ? __builtin_clzll(differ) : 64 + __builtin_clz(place ^ other_place);
}
