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
