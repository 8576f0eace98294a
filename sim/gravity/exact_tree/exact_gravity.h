/* Gravity by a tree with bit-identical results on every processor and CUDA device.
 *
 * The tree of kernels/exact_tree/exact_layout.h is walked once for each group of consecutive bodies
 * on its curve (J. Barnes, J. Comput. Phys. 87, 161 (1990)), as described in
 * kernels/exact_tree/walk.h; cells have moments up to second order. All arithmetic is IEEE-exact:
 * comparisons, integers, double precision for moments, single precision with explicit fused
 * multiply-adds for forces. kernels/exact_tree/cuda does the same, sum by sum.
 *
 * The error allowed for a body follows from its last acceleration, which `out` contains. If all are
 * zero, as at first, an evaluation with a fixed opening angle comes first. */
#pragma once

#include "base/status.h"
#include "kernels/exact_tree/exact_cells.h"
#include "kernels/exact_tree/walk.h"
#include "sim/gravity/force.h"

/* Walks the tree for the groups of bodies that share a list, on the CPU.
 *
 * A group is EXACT_TREE_GROUP successive places of the curve, cut where a wide cell is cut. Groups
 * depend on places alone, so that a caller with some of the bodies (sim/ranks) gets the groups of
 * all. */

struct exact_tree_walk {
    const struct exact_tree_kernels *kernels;
    const struct exact_tree *tree;
    const struct exact_tree_frame *frame;
    uint32_t first, count; /* places whose bodies are sinks; their groups begin at `first` */
    const uint32_t *order; /* the body at each place, counted from `first`; NULL: body k is at
                            * place first + k */
    struct exact_tree_rule rule;
    bool mixed;
    const double (*last)[3];       /* accelerations from which a group's hold is computed; NULL: the
                                    * rule holds for all */
    struct exact_tree_floor floor; /* of errors, for `last` */
    double (*out)[3];              /* accelerations; may be `last` */
    double *potential;             /* NULL: accelerations are computed */
    float *cost; /* out: of each body, in times of a list with one pair; or NULL */
};

/* The same bits for any number of threads. */
struct exact_tree_work exact_tree_walk_groups(const struct exact_tree_walk *walk, int threads);

/* mass: of the bodies, `stride` doubles apart. */
struct exact_tree_census exact_tree_census_of(size_t bodies, const double (*last)[3],
                                              const double *mass, size_t stride, int threads);

struct exact_gravity; /* used by one thread at a time; evaluations use many */

struct exact_gravity_params {
    size_t bodies;   /* > 0, below 2^31 */
    double error;    /* required relative error of the accelerations, RMS */
    const char *isa; /* "auto", or an instruction set by name */
};

/* STATUS_DEVICE: this machine does not have the instruction set; STATUS_RUNTIME: no memory. */
enum status exact_gravity_open(struct exact_gravity **out,
                               const struct exact_gravity_params *params);
void exact_gravity_close(struct exact_gravity **gravity); /* accepts a pointer to NULL */

/* rows: x y z m of all bodies, finite, with masses >= 0. halves: h_i = eps_i^2 / 2 of the rows, or
 * NULL: all pairs have `softening`. out: the last accelerations, replaced by the new ones. */
void exact_gravity_accelerate(struct exact_gravity *gravity, const double (*rows)[4],
                              const double *halves, double softening, double (*out)[3]);

/* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2). Independent of earlier calls. */
void exact_gravity_potential(struct exact_gravity *gravity, const double (*rows)[4],
                             const double *halves, double softening, double *out);

/* Work of the last evaluation. */
struct force_work exact_gravity_last(const struct exact_gravity *gravity);
