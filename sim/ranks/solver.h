/* The backend of a simulation on ranks.
 *
 * Every rank has the solver, and calls its functions alike: those that need other ranks' bodies are
 * collective, and so are all that need memory; kicks and drifts are not. The ranks share the bodies
 * (sim/bodies/whole.h), evenly, or rank 0 has all. Each gets what belongs to its share, its home
 * (home.h); views are of the share.
 *
 * Results are those of the CPU backend, bit for bit, for any number of ranks, with the forces
 * exact, double and tree-exact; fast has the same bits for any number of ranks, 2 or more. */
#pragma once

#include "base/ranks/ranks.h"
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
