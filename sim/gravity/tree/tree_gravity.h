/* Gravity by a tree: forces of N bodies in O(N) time, with a required error.
 *
 * The octree is walked with itself (dual-tree fast multipole method: W. Dehnen, J. Comput. Phys.
 * 179, 27 (2002)). A pair of cells that satisfies the opening rule (kernels/tree/tree.h)
 * exchanges expansions; otherwise the larger cell is opened, and leaves interact body by body.
 * Every cell owns the list of cells that act on it, the rule is symmetric, and sums follow the
 * tree's order. Momentum is therefore conserved except for rounding, and the result does not depend
 * on the number of threads.
 *
 * The error allowed for a body follows from its last acceleration, which `out` contains. If all are
 * zero, as at first, an evaluation with a fixed opening angle comes first. */
#pragma once

#include "kernels/tree/tree.h"
#include "sim/gravity/force.h"
#include "sim/gravity/tree/octree.h"

struct gravity; /* used by one thread at a time; evaluations use many */

struct gravity_params {
    size_t bodies;   /* > 0, below 2^32 */
    double error;    /* required relative error of the accelerations, RMS */
    const char *isa; /* "auto", or an instruction set by name */
    size_t among;    /* 0: errors are of these bodies' pulls; or of those of so many, see force.h */
    bool spline;     /* spline softening (kernels/spline.h), with halves given */
};

/* STATUS_DEVICE: this machine does not have the instruction set; STATUS_RUNTIME: no memory. */
enum status gravity_open(struct gravity **out, const struct gravity_params *params);
void gravity_close(struct gravity **gravity); /* accepts a pointer to NULL */

/* The bodies whose accelerations are computed: those from that rung on; rungs NULL: all. A body's
 * result does not depend on which others are computed. */
struct gravity_sinks {
    const uint8_t *rungs; /* of the rows */
    int from;
    int apart; /* bodies from this rung on do not pull each other; 0: all do */
};

/* Whether the last evaluation could leave out what sinks.apart asks for: if the bodies from that
 * rung on are some of the kinds of softening that the tree tells apart. */
bool gravity_was_apart(const struct gravity *gravity);

/* rows: x y z m of all bodies, finite. halves: h_i = eps_i^2 / 2 of the rows, or NULL: all pairs
 * have `softening`. out: the last accelerations; those of the sinks are replaced by the new
 * ones. */
enum status gravity_accelerate(struct gravity *gravity, const double (*rows)[4],
                               const double *halves, double softening, struct gravity_sinks sinks,
                               double (*out)[3]);

/* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2), or the spline's potential. Independent of earlier
 * calls. */
enum status gravity_potential(struct gravity *gravity, const double (*rows)[4],
                              const double *halves, double softening, double *out);

/* Work of the last evaluation. */
struct force_work gravity_last(const struct gravity *gravity);

/* An estimate of pairs + joins before the first evaluation. */
double gravity_forecast(const struct gravity *gravity);

const struct tree_kernels *gravity_kernels(const struct gravity *gravity);
