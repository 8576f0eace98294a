/* The state of the CPU solver, shared by its source files. */
#pragma once

#include "kernels/threads.h"
#include "sim/solver/cpu_near.h"
#include "sim/solver/cpu_sources.h"
#include "sim/solver/solver.h"

/* With fewer bodies than CPU_WORTH_THREADS, waking the other threads takes longer than one pass
 * over the bodies. */
enum { CPU_WORTH_THREADS = 8192, CPU_BATCH = 2048 };

struct cpu {
    struct solver solver;
    struct cpu_sources sources;
    double *mass;
    double (*position)[3], (*velocity)[3], (*acceleration)[3];
    uint8_t *rungs;    /* all 0 at first */
    double (*kept)[3]; /* positions, velocities, accelerations saved by `keep`; NULL before the
                        * first call */
    uint64_t kept_turn;
    struct cpu_near *near; /* NULL until a view needs it */
};

static inline struct cpu *cpu_of(struct solver *solver)
{
    return (struct cpu *)solver;
}

static inline int cpu_threads(const struct solver *solver)
{
    return solver->count < CPU_WORTH_THREADS ? 1 : force_cpu_threads();
}

/* Computes the accelerations of the bodies from that rung on; -1: of all bodies, whatever their
 * rungs. */
enum status cpu_evaluate(struct cpu *cpu, int from_rung);
