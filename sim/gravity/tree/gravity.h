/* Gravity by a tree: forces of N bodies in a time that grows as N, with an error that is asked for.
 *
 * The octree is walked with itself (dual-tree fast multipole method: W. Dehnen, J. Comput. Phys.
 * 179, 27 (2002)). A pair of cells that may be joined (kernels/tree/kernel.h) exchanges expansions;
 * of any other pair the larger cell is opened, and leaves meet body by body. Every cell owns the
 * list of those that act on it, the rule is alike for both of a pair, and sums follow the tree's
 * order: momentum is kept but for rounding, and the bits are the same for any number of threads.
 *
 * How much error a body bears follows from its last acceleration, which `out` brings along; where
 * it is all zero, as at first, one evaluation with a fixed opening angle comes before. */
#ifndef SIM_GRAVITY_TREE_GRAVITY_H
#define SIM_GRAVITY_TREE_GRAVITY_H

#include "kernels/tree/kernel.h"
#include "sim/gravity/force.h"
#include "sim/gravity/tree/octree.h"

struct gravity; /* used by one thread at a time; evaluations use many */

struct gravity_params {
    size_t bodies;   /* > 0, below 2^32 */
    double error;    /* relative error of the accelerations that is asked for, RMS */
    const char *isa; /* "auto", or an instruction set by name */
    bool spline;     /* softening is by a spline (kernels/spline.h), and halves are given */
};

/* STATUS_DEVICE: this machine has no such instruction set; STATUS_RUNTIME: no memory. */
enum status gravity_open(struct gravity **out, const struct gravity_params *params);
void gravity_close(struct gravity **gravity); /* accepts a pointer to NULL */

/* Whose accelerations are computed: those of the bodies from that rung on; rungs NULL: of all. A
 * body's are the same bits whoever else's are asked for. */
struct gravity_sinks {
    const uint8_t *rungs; /* beside the rows */
    int from;
};

/* rows: x y z m of all bodies, finite. halves: h_i = eps_i^2 / 2 beside them, or NULL: all pairs
 * have `softening`. out: the last accelerations, those of the sinks replaced by the new ones. */
enum status gravity_accelerate(struct gravity *gravity, const double (*rows)[4],
                               const double *halves, double softening, struct gravity_sinks sinks,
                               double (*out)[3]);

/* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2), or as the spline has it; depends on nothing that
 * came before. */
enum status gravity_potential(struct gravity *gravity, const double (*rows)[4],
                              const double *halves, double softening, double *out);

/* Of the last evaluation. */
struct force_work gravity_last(const struct gravity *gravity);

/* A guess at pairs + joins before the first evaluation. */
double gravity_forecast(const struct gravity *gravity);

const struct tree_kernels *gravity_kernels(const struct gravity *gravity);

#endif
