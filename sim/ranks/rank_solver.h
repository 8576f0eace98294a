/* The backend of a simulation on ranks.
 *
 * Every rank has the solver, and all ranks make the same calls. Calls that need other ranks' bodies
 * or memory are collective; kicks and drifts are not. The ranks share the bodies evenly
 * (sim/bodies/bodies_whole.h), or rank 0 has all. Each rank gets the data of its share, as their
 * home (home.h); views are of the share.
 *
 * With the forces exact, double and tree-exact, results are those of the CPU backend, bit for bit,
 * for any number of ranks. fast has the same bits for any number of ranks from 2 on. */
#pragma once

#include "base/ranks/ranks.h"
#include "sim/ranks/method.h"
#include "sim/solver/solver.h"

/* Forces: fast, exact, double and tree-exact. */
extern const struct solver_ops solver_ranks;

/* The last evaluation, on rank 0. `solver` is one of solver_ranks. */
struct ranks_evaluation {
    struct method_work work;
    double seconds;
    struct ranks_traffic traffic;
};
struct ranks_evaluation ranks_last(const struct solver *solver);

/* All evaluations so far. slowest: mean ratio of the slowest rank's time to the mean. waiting:
 * fraction of the time for which rank 0 waited for others. bytes: sent by rank 0 per evaluation. */
struct ranks_summary {
    double slowest; /* 0: unknown */
    double waiting, bytes;
};

/* False if the solver is not one of solver_ranks, or has evaluated nothing. */
bool ranks_summary_of(const struct solver *solver, struct ranks_summary *out);
