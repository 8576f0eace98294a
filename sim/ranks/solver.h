/* The backend of a simulation on ranks: rank 0 has the solver, the others serve it.
 *
 * Every function of the solver is a command that rank 0 tells all ranks, and that all carry out on
 * their own bodies. Functions that return bodies collect them on rank 0, in their numbers' order;
 * views are in its memory. Results are those of the CPU backend, bit for bit, for any number of
 * ranks, with the forces exact, double and tree-exact; fast has the same bits for any number of
 * ranks, 2 or more. */
#pragma once

#include "sim/solver/solver.h"

extern const struct solver_ops solver_ranks;

/* Whether it has this force: fast, exact, double and tree-exact. */
bool ranks_have(const struct force_ops *force);

/* What ranks have done so far, for a summary. */
struct ranks_summary {
    double slowest; /* the longest time of a rank over the mean, in the last evaluation */
    double waiting; /* part of the time of evaluations that rank 0 waited for others */
    double bytes;   /* sent per evaluation by rank 0 */
};
struct ranks_summary ranks_summary_of(const struct solver *solver);

/* The ranks from 1 on: carries out the commands of rank 0 until it ends. Returns the program's exit
 * code. */
int ranks_serve(void);
