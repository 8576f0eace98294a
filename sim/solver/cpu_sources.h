/* The sources of the CPU solver: rows of the bodies in the numbers that its force asks for. */
#ifndef SIM_SOLVER_CPU_SOURCES_H
#define SIM_SOLVER_CPU_SOURCES_H

#include "sim/bodies/bodies.h"
#include "sim/gravity/force.h"
#include "sim/solver/solver.h"
#include "sim/solver/tiles.h"

struct cpu_sources {
    struct sources read; /* what the force reads */
    size_t number, subset;
    void *rows, *halves;      /* [bodies], padded; halves NULL when all softenings are alike */
    void *part, *part_halves; /* those of a turn; NULL when all bodies are sources */
    struct tiles tiles;       /* none unless the force is tiled */
    double (*centres)[3], (*part_centres)[3]; /* [tiles of rows], [tiles of part] */
    double *mass, *half; /* [bodies] in their order, for new tiles; half NULL where halves is */
};

/* Masses and softenings are set; positions come with the first cpu_sources_place. */
enum status cpu_sources_open(struct cpu_sources *sources, const struct solver_setup *setup,
                             const struct bodies *bodies);
void cpu_sources_close(struct cpu_sources *sources);

/* Rows follow the positions of the bodies. */
void cpu_sources_place(struct cpu_sources *sources, const double (*position)[3], int threads);

/* With a subset, takes the part of the sources whose turn it is. */
void cpu_sources_turn(struct cpu_sources *sources, uint64_t turn);

#endif
