/* What is planned for a number of bodies, and what an evaluation says of itself. */
#ifndef KERNELS_TREE_CUDA_LAYOUT_H
#define KERNELS_TREE_CUDA_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

enum { TREE_CUDA_LEAF = 48, TREE_CUDA_WAVES = 16 };

struct tree_cuda_plan {
    size_t bodies;
    int order; /* of expansions: 4 or 5 */
    bool mixed;
    bool spline;    /* softening is by a spline (kernels/spline.h): mixed, and of order 5 */
    unsigned cells; /* that there is room for */
    unsigned multiprocessors;
    unsigned blocks; /* of kernels that learn on the device how much there is to do */
    unsigned waves;
    unsigned limit[TREE_CUDA_WAVES + 1]; /* bodies of a cell that is settled in each wave; the last:
                                            of a unit, whose subtree one warp walks */
    size_t pool;                         /* entries of lists that there is room for */
    unsigned lone, met; /* bodies of wide leaves that there is room for: they get lists of their own
                           where the leaf would meet more than `met` bodies */
    size_t sort_bytes, scan_bytes; /* to work in */
    size_t bytes;                  /* of device memory to work in, at least a double per body */
};

/* What the last evaluation did. */
struct tree_cuda_work {
    unsigned long long pairs, joins, judged;
    unsigned cells, levels, units, entries;
    unsigned negative; /* 1: a body has a mass below 0; all are NaN */
    unsigned lost;     /* > 0: bodies are NaN, since there was no room for their lists */
};

#endif
