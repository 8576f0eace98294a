/* Kernels of the tree for one order of expansion and one instruction set.
 *
 * Psi(x) = sum_j m_j / sqrt(|x - x_j|^2 + eps^2) is the potential without its sign; its gradient is
 * the acceleration. About the centre of a cell A, a_j = x_j - x_A, the moments are M_k = (-1)^|k| /
 * k! sum_j m_j a_j^k. About the centre of a cell B, b = x - x_B, Psi(x) = sum_n b^n / n! L_n. With
 * R = x_B - x_A and D = d^n/dR^n (R^2 + eps^2)^(-1/2), L_n = sum_k M_k D_(n+k), truncated at |n| +
 * |k| > order, so that two cells exert equal and opposite forces on each other. Softening is exact.
 * Rows of moments hold M_k / r_A^|k|, 64-byte aligned, and local expansions L_n r_B^|n|, where r is
 * the cell's radius (1 if it is 0).
 *
 * Flat terms are those with at most one factor z. Except for softening D is harmonic, D_(n+2z) =
 * -D_(n+2x) - D_(n+2y) - 3 eps^2 d^n/dR^n (R^2 + eps^2)^(-5/2), so that flat moments and flat local
 * terms determine all others, with a third fewer products. Where eps^2 is a small part of R^2,
 * cells exchange flat terms, and the last term above is kept for |n| < 2: the error is of the order
 * of eps^2 / R^2 ((rA + rB) / R)^3, the same in both directions.
 *
 * criterion.h decides which pairs of cells may be joined. With spline softening, pairs that may not
 * be joined are summed body by body.
 *
 * Kernels allocate nothing, are thread-safe, and add in an order that depends on their arguments
 * alone. */
#pragma once

#include "kernels/isa.h"
#include "kernels/tree/tree_cells.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    TREE_ORDERS = 2,      /* orders 4 and 5 */
    TREE_TERMS_MOST = 64, /* maximum number of floats in a local expansion */
    TREE_CHILDREN = 8,
};

/* How pairs of cells are judged. */
struct tree_rule {
    float opening;    /* > 0: joined where rA + rB < opening * R, without an error estimate */
    float soft;       /* for cells of several softenings: 3/2 (spreads) < soft * R^2 */
    float softening2; /* eps^2 of all pairs */
    float flat;       /* flat terms are used where eps^2 <= flat * r^2; < 0: nowhere */
    bool mixed;       /* use lower bounds from the cells' halves and spreads instead of
                       * softening2 */
};

/* The ways in which a source cell acts on a sink. */
enum tree_fate {
    TREE_JOINED,      /* expansions are exchanged, in flat terms */
    TREE_JOINED_SOFT, /* the same in all terms */
    TREE_MET,         /* two leaves, summed body by body: not joinable, or cheaper that way */
    TREE_OPENED,      /* the cell's children are judged next */
    TREE_LEFT,        /* the cell is left to the children of the sink */
    TREE_FATES,
};

/* A list with capacity for `count` more entries and TREE_LANES beyond them. */
struct tree_list {
    uint32_t *item;
    size_t count;
};

/* How bodies pull each other. */
struct tree_pulling {
    float softening2; /* eps^2 of all pairs, unless the bodies have halves */
    float zoom;       /* a power of two near eps^(-1/2) */
    bool potential;   /* potentials instead of accelerations */
    bool rough;       /* errors up to 2e-4 of each pull are allowed */
};

typedef void tree_judge(const struct tree_place *places, uint32_t sink, struct tree_rule rule,
                        size_t count, uint32_t *list, struct tree_list *const fates[TREE_FATES]);
/* Centres of the listed cells relative to that of the sink, axis by axis; up to TREE_LANES numbers
 * beyond `count` are written. */
typedef void tree_approach(const struct tree_place *places, uint32_t sink, size_t count,
                           uint32_t *list, float *const shift[3]);
typedef void tree_pull(const struct tree_bodies *bodies, struct tree_run sink, size_t runs,
                       const struct tree_run *run, const float *const shift[3],
                       struct tree_pulling how, float *const out[4]);

/* The conversion from the units of rows to those of the tree. */
struct tree_frame {
    double origin[3], scale, mass;
};

struct tree_kernels {
    const char *isa; /* "avx512" */
    int order;
    int row; /* floats per row of moments, a multiple of 16: the terms from the fourth on, since the
              * mass is stored in the cell's place and the dipole about the centre of mass is
              * zero */

    /* Finds the centre of a leaf's rows, x y z m, and the square of their largest distance from it,
     * and writes the bodies relative to it, x y z m, as columns. Returns their mass. The centre is
     * the centre of mass, or the mean place if they have no mass. */
    double (*centre)(const double (*rows)[4], size_t count, const struct tree_frame *frame,
                     double centre[3], double *radius2, float *const column[4]);
    /* The square of the largest distance of any row from a centre. */
    double (*reach)(const double (*rows)[4], size_t count, const struct tree_frame *frame,
                    const double centre[3]);
    /* Moments of a leaf's bodies, divided by powers of the radius. */
    void (*collect)(const struct tree_bodies *bodies, struct tree_run run, float radius,
                    float *moments);
    /* Moments of a parent from those of its children, at most 8 contiguous cells: `rows` are the
     * children's rows, and shift[] their centres relative to the parent's. */
    void (*raise)(const struct tree_place *children, const float *rows, const float (*shift)[3],
                  size_t count, float radius, float *moments);
    /* Writes the powers of the moments into the places of `count` contiguous cells, whose masses
     * are already set. */
    void (*weigh)(const float *rows, size_t count, struct tree_place *places);
    /* Fills in the sources of the same cells. */
    void (*fold)(const float *rows, size_t count, const struct tree_place *places,
                 struct tree_source *sources);
    /* Appends each listed cell, in order, to the list for its fate. In a pair that is not joined,
     * the larger cell is opened; both cells of the pair reach the same decision. */
    tree_judge *judge, *judge_spline;
    /* Adds the contributions of the listed cells to the sink's expansion `local`; with or without
     * the term of the potential itself. softening2: eps^2; if mixed, the halves of the places are
     * used. */
    void (*translate)(const struct tree_place *places, const float *moments, uint32_t sink,
                      size_t count, uint32_t *list, float softening2, bool mixed, bool potential,
                      float *local);
    /* The same without the potential, in flat terms. */
    void (*translate_flat)(const struct tree_source *sources, const struct tree_place *sink,
                           size_t count, uint32_t *list, float softening2, bool mixed,
                           float *local);
    tree_approach *approach;
    /* Shifts a parent's expansion to each of its children. children, shift: as for raise. */
    void (*lower)(const float *parent, float parent_radius, const struct tree_place *children,
                  const float (*shift)[3], size_t count, float (*local)[TREE_TERMS_MOST]);
    /* Evaluates the expansion at each body of a leaf: out[c][i], c = 0 to 2, is the acceleration.
     * With the potential, out[3][i] is Psi; without it, out[3] may be NULL. */
    void (*evaluate)(const float *local, float radius, const struct tree_bodies *bodies,
                     struct tree_run run, bool potential, float *const out[4]);
    /* Adds to out the pulls of the runs' bodies on the bodies of the sink. The runs are leaves
     * whose centres are shift[c][r] away from the sink's. */
    tree_pull *pull, *pull_spline; /* the latter with halves */
};

/* Finds the kernels for an order, 4 or 5, and an instruction set by name; "auto" is the best that
 * this machine can run. NULL if there is no such kernel or this machine cannot run it. */
const struct tree_kernels *tree_kernels_find(const char *isa, int order);

/* Declares the kernels of every instruction set and order for the table in tree.c, and the naming
 * of their functions. */

#define TREE_JOIN_(a, b) a##_##b
#define TREE_JOIN(a, b)  TREE_JOIN_(a, b)

#define OF_ORDER(name)     TREE_JOIN(OF_ISA(name), TREE_ORDER) /* name_avx2_4 */
#define TREE_STRING_(text) #text
#define TREE_STRING(text)  TREE_STRING_(text)

extern const struct tree_kernels tree_kernels_baseline_4, tree_kernels_baseline_5,
    tree_kernels_neon_4, tree_kernels_neon_5, tree_kernels_avx2_4, tree_kernels_avx2_5,
    tree_kernels_avx512_4, tree_kernels_avx512_5;

/* ---- neighbours ---- */

/* A body's nearest neighbours among a crowd of bodies around it, in double precision: the same
 * results with every instruction set. Thread-safe. */
enum { NEAR_PAD = 8 }; /* numbers beyond an array's end that kernels may read and write */

struct near_kernels {
    const char *isa; /* "avx512" */
    /* Writes the squared distances from a place that are at most `bound`, in the order of the
     * bodies, and returns how many there are. at: x, y and z of the bodies, infinite in the pad;
     * out: room for all of them and the pad. */
    size_t (*within)(const double *const at[3], size_t count, const double from[3], double bound,
                     double *out);
    /* The k-th smallest of `count` values, 1 <= k <= count, which are at least 0 and at most
     * `most`. Fastest if it is close to `guess`. */
    double (*smallest)(double *value, size_t count, size_t k, double guess, double most);
};

/* Finds the kernels of an instruction set by its name; "auto" is the best that this machine can
 * run. NULL: this machine cannot run it. */
const struct near_kernels *near_kernels_find(const char *isa);
