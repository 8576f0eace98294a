/* Builds the tree over the bodies, on the CPU. */
#pragma once

#include "base/status.h"
#include "kernels/exact_tree/layout.h"

struct exact_tree_build {
    struct exact_tree tree;
    struct exact_tree_frame frame;
    uint64_t *key, *spare_key;
    uint32_t *order, *spare_order;
};

/* STATUS_RUNTIME: no memory. */
enum status exact_tree_open(struct exact_tree_build *build, size_t bodies);
void exact_tree_close(struct exact_tree_build *build); /* accepts all zero */

/* Sorts the bodies. rows, halves: as in gravity.h. */
void exact_tree_sort(struct exact_tree_build *build, const double (*rows)[4], const double *halves,
                     double softening, int threads);

/* Computes cells and their moments. */
void exact_tree_fill(struct exact_tree_build *build, int threads);
