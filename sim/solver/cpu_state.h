/* What the CPU solver keeps, for the files that it is made of. */
#ifndef SIM_SOLVER_CPU_STATE_H
#define SIM_SOLVER_CPU_STATE_H

#include "kernels/threads.h"
#include "sim/solver/cpu_near.h"
#include "sim/solver/cpu_sources.h"
#include "sim/solver/solver.h"

/* Below CPU_WORTH_THREADS bodies waking the other threads takes longer than passing over the bodies
 * once. */
enum { CPU_WORTH_THREADS = 8192, CPU_BATCH = 2048 };

struct cpu {
    struct solver solver;
    struct cpu_sources sources;
    double *mass;
    double (*position)[3], (*velocity)[3], (*acceleration)[3];
    uint8_t *rungs;    /* all 0 at first */
    double (*kept)[3]; /* positions, velocities, accelerations of `keep`; NULL before the first */
    uint64_t kept_turn;
    struct cpu_near *near; /* NULL before the first view that asks for it */
};

static inline struct cpu *cpu_of(struct solver *solver)
{
    return (struct cpu *)solver;
}

static inline int cpu_threads(const struct solver *solver)
{
    return solver->count < CPU_WORTH_THREADS ? 1 : force_cpu_threads();
}

/* Accelerations of the bodies from that rung on; -1: of all, whatever their rungs. */
enum status cpu_evaluate(struct cpu *cpu, int from_rung);

#endif
