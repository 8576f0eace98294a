/* Kernels of the tree for one order of expansion and one instruction set.
 *
 * Psi(x) = sum_j m_j / sqrt(|x - x_j|^2 + eps^2) is the potential without its sign, its gradient
 * the acceleration. About the centre of a cell A, a_j = x_j - x_A, the moments are
 * M_k = (-1)^|k| / k! sum_j m_j a_j^k, about that of a cell B, b = x - x_B, Psi(x) = sum_n b^n / n!
 * L_n, and with R = x_B - x_A, D = d^n/dR^n (R^2 + eps^2)^(-1/2): L_n = sum_k M_k D_(n+k), cut
 * where |n| + |k| > order, so that two cells pull each other with equal and opposite forces.
 * Softening is exact. Rows of moments hold M_k / r_A^|k|, 64-byte aligned, and
 * local expansions L_n r_B^|n|, r the cells' radii (1 where 0).
 *
 * Which pairs of cells may be joined: criterion.h. Where softening is by a spline, what may not
 * meets body by body.
 *
 * Kernels allocate nothing, are thread-safe, and add in an order that their arguments alone
 * decide. */
#ifndef KERNELS_TREE_KERNEL_H
#define KERNELS_TREE_KERNEL_H

#include "kernels/tree/cells.h"

#include <stdbool.h>

enum {
    TREE_ORDERS = 2,      /* 4 and 5 */
    TREE_TERMS_MOST = 64, /* floats of a local expansion, at most */
    TREE_CHILDREN = 8,
};

/* How pairs of cells are judged. */
struct tree_rule {
    float opening;    /* > 0: joined where rA + rB < opening * R, and no errors are asked for */
    float soft;       /* of cells of several softenings: 3/2 (spreads) < soft * R^2 */
    float softening2; /* eps^2 of all pairs */
    bool mixed;       /* instead the least that the cells' halves and spreads tell of theirs */
};

/* What becomes of a source cell that meets a sink. */
enum tree_fate {
    TREE_JOINED, /* expansions are exchanged */
    TREE_MET,    /* both are leaves: body by body, also where that is cheaper than joining */
    TREE_OPENED, /* its children are judged */
    TREE_LEFT,   /* to the children of the sink */
    TREE_FATES,
};

/* Room for `count` more and TREE_LANES beyond them. */
struct tree_list {
    uint32_t *item;
    size_t count;
};

typedef void tree_judge(const struct tree_place *places, uint32_t sink, struct tree_rule rule,
                        size_t count, uint32_t *list, struct tree_list *const fates[TREE_FATES]);
/* Centres of the cells of the list less that of the sink, axis by axis; up to TREE_LANES beyond
 * `count` are written. */
typedef void tree_approach(const struct tree_place *places, uint32_t sink, size_t count,
                           uint32_t *list, float *const shift[3]);
typedef void tree_pull(const struct tree_bodies *bodies, struct tree_run sink, size_t runs,
                       const struct tree_run *run, const float *const shift[3], float softening2,
                       float zoom, bool potential, float *const out[4]);

struct tree_kernels {
    const char *isa; /* "avx512" */
    int order;
    int row; /* floats per row of moments, a multiple of 16: the terms from the fourth on, for the
                mass is in a cell's place and the dipole about the centre of mass is zero */

    /* Moments of a leaf's bodies, divided by powers of the radius. */
    void (*collect)(const struct tree_bodies *bodies, struct tree_run run, float radius,
                    float *moments);
    /* Moments of a parent from those of its children, at most 8 that follow each other: `rows` are
     * theirs, and shift[] are their centres less the parent's. */
    void (*raise)(const struct tree_place *children, const float *rows, const float (*shift)[3],
                  size_t count, float radius, float *moments);
    /* Powers of the moments into places, whose masses are set: of `count` cells that follow each
     * other. */
    void (*weigh)(const float *rows, size_t count, struct tree_place *places);
    /* Appends the cells of the list, in order, to the list of their fate. Of a pair that is not
     * joined the larger one is opened, and seen from the other side the same one is. */
    tree_judge *judge, *judge_spline;
    /* Adds to `local` what the cells of the list give the sink; with the potential's own term or
     * without. softening2: eps^2; places' halves are used where mixed. */
    void (*translate)(const struct tree_place *places, const float *moments, uint32_t sink,
                      size_t count, uint32_t *list, float softening2, bool mixed, bool potential,
                      float *local);
    tree_approach *approach;
    /* The expansion of a parent about each of its children. children, shift as for raise. */
    void (*lower)(const float *parent, float parent_radius, const struct tree_place *children,
                  const float (*shift)[3], size_t count, float (*local)[TREE_TERMS_MOST]);
    /* The expansion at each body of a leaf: out[c][i], c = 0 to 2 the acceleration; with the
     * potential, out[3][i] is Psi, otherwise it may be NULL. */
    void (*evaluate)(const float *local, float radius, const struct tree_bodies *bodies,
                     struct tree_run run, bool potential, float *const out[4]);
    /* Adds to out what the bodies of the runs, leaves whose centres are shift[c][r] away from the
     * sink's, give the bodies of the sink. zoom: a power of two near eps^(-1/2). */
    tree_pull *pull, *pull_spline; /* the latter with halves */
};

#endif
