/* The opening criterion of the tree: which pairs of cells may be joined, and what an error that is
 * asked for means to it, on the CPU (tree_judge in tree_isa.c) and on a CUDA device (judge in
 * cuda/lists.cu).
 *
 * It follows W. Dehnen, Comput. Astrophys. Cosmol. 1:1 (2014), section 3: the estimated error,
 * 8 max(rA, rB) / (rA + rB) sum_k C(p,k) P_k(A) rB^(p-k) / R^(p+2) / (1 - (rA + rB) / R), has to be
 * below the `hold` of B, a share of the least acceleration in it, and the same with A and B
 * exchanged; and rA + rB < 0.9 R. P_n(A)^2 = sum_ij m_i m_j |a_i|^n |a_j|^n Legendre_n(cos of the
 * angle between them). Softening counts as distance, R^2 = r^2 + eps^2 / 4: the series of softened
 * bodies converges as that of points sqrt(r^2 + eps^2) apart, of which a quarter is taken, since
 * where it counts many pairs are as far apart, and their errors add up. The centre of either lies
 * outside the other, so that no cell is joined with its own bodies. Where no accelerations are
 * known, rA + rB < opening R.
 *
 * Where softening is by a spline (kernels/spline.h) bodies beyond its support are points: series
 * are those of eps = 0, and two cells may be joined only where all bodies of one are beyond the
 * support of all of the other, R > rA + rB + H. */
#ifndef KERNELS_TREE_ACCURACY_H
#define KERNELS_TREE_ACCURACY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TREE_CLOSEST  0.9f  /* (rA + rB) / R, at most */
#define TREE_SOFTENED 0.25f /* of eps^2, in R^2 */

/* On the CPU. error: RMS of the accelerations' relative errors; fitted so that what is reached is
 * 0.5 to 1 times that (docs/physics.md). */
struct tree_accuracy {
    int order;             /* of the expansions */
    double share;          /* of a body's acceleration that one other cell may get wrong */
    double share_of_kinds; /* the same where cells of several softenings lie in one place */
    double spread, sparse; /* see struct octree_limit in sim/gravity/tree/octree.h */
};
struct tree_accuracy tree_accuracy(double error, size_t bodies);

/* On a device, where many cells reach into a wide sink and their errors add up: besides `share`,
 * max(rA, rB)^p < reach R^p, and what softenings that differ change is less than `unlike` of that
 * share, since it has one sign. */
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
