/* The backend that runs everywhere: OpenMP and SIMD. */
#pragma once

#include "sim/bodies/bodies.h"
#include "sim/gravity/force.h"
#include "sim/solver/tiles.h"
#include "sim/solver/solver.h"

/* ---- views in host memory, for a solver whose views lie there: functions of its table ---- */

enum status host_view_create(struct solver *solver, struct view **out);
enum status host_view_read(struct solver *solver, const float *from, size_t count, float *to);
void host_view_destroy(struct solver *solver, struct view **view);

/* The sources of the CPU solver: rows of the bodies in the number type that its force reads. */

struct cpu_sources {
    struct sources read; /* what the force reads */
    size_t number, subset;
    void *rows, *halves;      /* [bodies], padded; halves NULL if all softenings are equal */
    void *part, *part_halves; /* the sources of the current turn; NULL if all bodies are sources */
    struct tiles tiles;       /* empty unless the force is tiled */
    double (*centres)[3], (*part_centres)[3]; /* [tiles of rows], [tiles of part] */
    double *mass, *half; /* [bodies] in the bodies' order, for new tiles; half is NULL if halves
                          * is */
};

/* Sets masses and softenings; the first cpu_sources_place sets positions. */
enum status cpu_sources_open(struct cpu_sources *sources, const struct solver_setup *setup,
                             const struct bodies *bodies);
void cpu_sources_close(struct cpu_sources *sources);

/* Updates the rows from the positions of the bodies. */
void cpu_sources_place(struct cpu_sources *sources, const double (*position)[3], int threads);

/* The same for the rows from `begin` to before `end` alone, whole tiles except at the end:
 * position[k - begin] is that of the body of row k. */
void cpu_sources_place_some(struct cpu_sources *sources, size_t begin, size_t end,
                            const double (*position)[3], int threads);

/* With a subset, selects the sources of this turn. */
void cpu_sources_turn(struct cpu_sources *sources, uint64_t turn);
