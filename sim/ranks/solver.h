/* The backend of a simulation on ranks.
 *
 * Every function of the solver is a command that rank 0 tells all ranks, and that all carry out on
 * the bodies that they have; in a task of all ranks, every rank calls it. Numbers of bodies are
 * brought to the bodies' homes (home.h):
 * - If ranks share the bodies (sim/bodies/whole.h), each rank has the solver, and gets what belongs
 *   to its share. Views are of the share.
 * - If they are opened in a task with copies of all bodies, each rank gets everything.
 * - If rank 0 alone has bodies and the solver, the other ranks serve it.
 *
 * Results are those of the CPU backend, bit for bit, for any number of ranks, with the forces
 * exact, double and tree-exact; fast has the same bits for any number of ranks, 2 or more. */
#pragma once

#include "base/ranks/tasks.h"
#include "sim/ranks/method.h"
#include "sim/solver/solver.h"

/* Forces: fast, exact, double and tree-exact. */
extern const struct solver_ops solver_ranks;

/* Rank 0: its last evaluation. `solver` is one of solver_ranks. */
struct ranks_evaluation {
    struct method_work work;
    double seconds;
    struct ranks_traffic traffic;
};
struct ranks_evaluation ranks_last(const struct solver *solver);

/* All its evaluations so far: of the ranks' times the mean ratio of the slowest to the mean, how
 * long rank 0 waited for others, as a fraction of the time, and what it sent per evaluation. */
struct ranks_summary {
    double slowest; /* 0: unknown */
    double waiting, bytes;
};

/* False if the solver is not one of solver_ranks, or has evaluated nothing. */
bool ranks_summary_of(const struct solver *solver, struct ranks_summary *out);

/* The task of this solver, for ranks_offer. */
extern const struct ranks_task ranks_solver_task;
