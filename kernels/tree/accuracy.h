/* What an error that is asked for means to the tree's opening criterion (criterion.h), on the CPU
 * and on a CUDA device. */
#ifndef KERNELS_TREE_ACCURACY_H
#define KERNELS_TREE_ACCURACY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On the CPU. error: RMS of the accelerations' relative errors; fitted so that what is reached is
 * 0.5 to 1 times that (docs/physics.md). */
struct tree_accuracy {
    int order;             /* of the expansions */
    double share;          /* of a body's acceleration that one other cell may get wrong */
    double share_of_kinds; /* the same where cells of several softenings lie in one place */
    double spread, sparse; /* see struct octree_limit in sim/gravity/tree/octree.h */
};
struct tree_accuracy tree_accuracy(double error, size_t bodies);

/* On a device; reach and unlike as in criterion.h. */
struct tree_cuda_rule {
    float share, reach, unlike, opening;
    float spread, sparse; /* of leaves, as above; the mass of a leaf is taken as that of so many
                             bodies of the mean mass */
};

/* Potentials are joined by their opening alone. spline: of the softening. */
struct tree_cuda_accuracy {
    int order;
    struct tree_cuda_rule rule, potential;
};
struct tree_cuda_accuracy tree_cuda_accuracy(double error, size_t bodies, bool spline);

#ifdef __cplusplus
}
#endif

#endif
