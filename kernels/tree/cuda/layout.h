/* The plan of a tree for a number of bodies, and the counters of an evaluation. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { TREE_CUDA_LEAF = 48, TREE_CUDA_WAVES = 16 };

struct tree_cuda_plan {
    size_t bodies;
    int order; /* of expansions: 4 or 5 */
    bool mixed;
    bool spline;    /* softening is by a spline (kernels/spline.h); implies mixed and order 5 */
    unsigned cells; /* capacity */
    unsigned multiprocessors;
    unsigned blocks; /* grid size of kernels that read the amount of work from device memory */
    unsigned waves;
    unsigned limit[TREE_CUDA_WAVES + 1]; /* bodies of a cell that is settled in each wave; the last:
                                          * of a unit, whose subtree one warp walks */
    size_t pool;                         /* capacity of the lists, in entries */
    unsigned lone, met; /* capacity for bodies of wide leaves: each has its own list when the leaf
                         * would meet more than `met` bodies */
    size_t sort_bytes, scan_bytes; /* scratch memory of sorting and scanning */
    size_t bytes;                  /* device memory needed in total, at least a double per body */
    size_t spare;                  /* at its end, bytes that hold nothing between evaluations */
};

/* Counters of the last evaluation. */
struct tree_cuda_work {
    unsigned long long pairs, joins, judged;
    unsigned cells, levels, units, entries;
    unsigned negative; /* 1: a body has a negative mass; all results are NaN */
    unsigned known;    /* 1: the accelerations before the evaluation were known */
    unsigned lost;     /* > 0: lists of some bodies did not fit; all results are NaN */
};
