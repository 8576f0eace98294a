/* What an error that is asked for means to the tree on a CUDA device. */
#ifndef KERNELS_TREE_CUDA_ACCURACY_H
#define KERNELS_TREE_CUDA_ACCURACY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How much error is borne: a pair of cells may be joined (kernels/tree/kernel.h) if neither gets
 * more than `share` of its least acceleration wrong by the other; if max(rA, rB)^p < reach R^p,
 * since the errors that many cells make in a wide sink add up; and if what softenings that differ
 * change is less than `unlike` of that share, since it has one sign. opening: instead of the first
 * two where no accelerations are known, rA + rB < opening R. */
struct tree_cuda_rule {
    float share, reach, unlike, opening;
    float spread, sparse; /* of leaves, see struct octree_limit in sim/gravity/tree/octree.h; the
                             mass of a leaf is taken as that of so many bodies of the mean mass */
};

/* For errors of that RMS; potentials are joined by their opening alone. */
struct tree_cuda_accuracy {
    int order;
    struct tree_cuda_rule rule, potential;
};
struct tree_cuda_accuracy tree_cuda_accuracy(double error, size_t bodies);

#ifdef __cplusplus
}
#endif

#endif
