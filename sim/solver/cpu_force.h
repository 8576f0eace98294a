/* Forces of the CPU solver in its force mode: what it keeps for them and how they are evaluated. */
#ifndef SIM_SOLVER_CPU_FORCE_H
#define SIM_SOLVER_CPU_FORCE_H

#include "kernels/cpu/force.h"
#include "sim/solver/force.h"
#include "sim/solver/solver.h"

struct cpu_force {
    const struct force_mode *mode;
    const struct force_cpu *cpu;
    size_t count, subset;
    double softening;
    float (*rows)[4];  /* padded; always of the present positions */
    double (*wide)[4]; /* the same in double; NULL unless the mode is double */
    float (*part)[4];  /* sources of a turn; NULL when all are used */
    double (*wide_part)[4];
    float *halves; /* of softening, beside the rows of the same name; NULL when all is alike */
    double *wide_halves;
    float *part_halves;
    double *wide_part_halves;
    char doc[96]; /* of the kernel */
};

/* Rows are zero and softenings are set; the caller fills in the masses. `params` is one that
 * solver_open accepts. */
enum status cpu_force_open(struct cpu_force *force, const struct solver_params *params,
                           const struct bodies *bodies);
void cpu_force_close(struct cpu_force *force);

/* Sources of an evaluation. */
size_t cpu_force_sources(const struct cpu_force *force);

/* Accelerations of all bodies; `turn` chooses the sources when a part of them is used. */
void cpu_force_accelerate(struct cpu_force *force, uint64_t turn, double (*out)[3]);

/* A body's potential, itself left out, from all sources. */
void cpu_force_potential(const struct cpu_force *force, double *out);

#endif
