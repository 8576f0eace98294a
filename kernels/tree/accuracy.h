/* Translates a requested error into parameters of the tree's opening criterion (criterion.h), for
 * the CPU and for a CUDA device. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CPU parameters. error: RMS of the relative errors of the accelerations. The fit reaches 0.5 to 1
 * times the requested error (docs/physics.md). */
struct tree_accuracy {
    int order;             /* of the expansions */
    double share;          /* error that one other cell may cause, as a share of the acceleration */
    double share_of_kinds; /* the same where cells of different softenings overlap */
    double spread, sparse; /* see struct octree_limit in sim/gravity/tree/octree.h */
    double flat;           /* see struct tree_rule */
    bool rough;            /* see struct tree_pulling */
};
struct tree_accuracy tree_accuracy(double error, size_t bodies);

/* The largest radius, over the softening of its bodies, of a cell that may pull others as one body
 * at its centre of mass, from within its softening too. */
double tree_merged(double error);

/* Device parameters; reach and unlike as in criterion.h. */
struct tree_cuda_rule {
    float share, reach, unlike, opening;
    float spread, sparse; /* for leaves, as above; a leaf counts as this many bodies of mean mass */
    float merged2;        /* the square of tree_merged */
};

/* Potentials use the opening angle alone. spline: softening is by a spline. */
struct tree_cuda_accuracy {
    int order;
    struct tree_cuda_rule rule, potential;
};
struct tree_cuda_accuracy tree_cuda_accuracy(double error, size_t bodies, bool spline);

#ifdef __cplusplus
}
#endif

/* ---- the plan of a tree for a number of bodies, and the counters of an evaluation ---- */

enum { TREE_CUDA_LEAF = 60, TREE_CUDA_WAVES = 16 };

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
