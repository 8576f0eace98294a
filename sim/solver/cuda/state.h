/* The state of a CUDA solver: the bodies in device memory, how verbs begin and end, and the verbs
 * that only change or copy the bodies. */
#ifndef SIM_SOLVER_CUDA_STATE_H
#define SIM_SOLVER_CUDA_STATE_H

#include "kernels/tree/cuda/neighbours.h"
#include "sim/solver/solver.h"
#include "sim/solver/tiles.h"

#include <cuda_runtime_api.h>

enum { CUDA_TIMERS = 32, CUDA_GRAPHS = 2, CUDA_PENDING = 2 };

/* The launches of some steps, recorded; executable NULL: none are. */
struct cuda_graph {
    cudaGraphExec_t executable;
    solver_step step; /* what was recorded */
    double dt, damping;
    uint64_t steps;
    double interactions; /* what one replay counts for */
    uint64_t turns;
};

struct cuda {
    struct solver solver;
    int device;
    size_t number, subset;  /* as in force_ops and solver_setup */
    size_t padded;          /* rows */
    struct sources sources; /* what the force reads */
    double *mass;           /* host memory, as are the tiles, none unless the force is tiled, and */
    struct tiles tiles;
    void *rows, *halves;      /* device memory from here on, see struct sources */
    void *part, *part_halves; /* those of a turn; NULL when all bodies are sources */
    unsigned *order;          /* tiles.order; NULL without tiles, as are the centres of rows */
    double *centres, *part_centres; /* and part */
    unsigned char *chosen;          /* and what centres are found with, as in tiles */
    double *weights;
    double *position, *velocity, *acceleration;
    double *kept; /* positions, velocities, accelerations of `keep`; NULL before the first */
    uint64_t kept_turn;
    struct neighbours_cuda_plan near_plan;
    unsigned *near_bodies; /* solver.near.bodies; NULL: all */
    void *near_work;       /* NULL before the first view that asks for it */
    uint8_t *rungs;        /* of steps per body; NULL where the force is not partial */
    uint64_t *found;       /* [RUNGS + 1]: what a kernel looked for, a number or more */
    size_t free_before;    /* bytes of the device's memory, before any was taken */
    cudaStream_t stream;
    cudaEvent_t timer[CUDA_TIMERS][2]; /* start and end of forces not yet in force_seconds */
    int timed;
    /* Kicks asked for and not made yet, all by the present accelerations: a leapfrog's last one and
     * the next step's first one go with the drift between them. See cuda_settle. */
    int pending;
    double pending_kick[CUDA_PENDING];
    struct cuda_graph graphs[CUDA_GRAPHS];
    int last_graph;
    bool recording; /* launches are being recorded: nothing runs, nothing may wait */
};

static inline struct cuda *cuda_of(struct solver *solver)
{
    return (struct cuda *)solver;
}

/* `what` completes "CUDA could not ..."; the sentence names kernel, N and device. */
enum status cuda_check(const struct cuda *cuda, int error, const char *what);

/* The device is a property of the calling thread, and a solver may change threads. */
enum status cuda_enter(const struct cuda *cuda);

/* Waits for everything under way and adds up the timers. */
enum status cuda_finish(struct cuda *cuda, const char *what);
enum status cuda_fetch(struct cuda *cuda, void *host, const void *device, size_t bytes,
                       const char *what);

/* Makes the kicks that are pending: before velocities are read or accelerations replaced. */
enum status cuda_settle(struct cuda *cuda);

/* cuda_enter, then cuda_settle. */
enum status cuda_begin(struct cuda *cuda);

/* Verbs of struct solver_ops. */
enum status cuda_kick(struct solver *solver, double dt);
enum status cuda_drift(struct solver *solver, double dt);
enum status cuda_damp(struct solver *solver, double factor);
enum status cuda_keep(struct solver *solver);
enum status cuda_restore(struct solver *solver);
enum status cuda_save(struct solver *solver, struct bodies *bodies);
enum status cuda_load(struct solver *solver, const double (*position)[3],
                      const double (*velocity)[3], const double (*acceleration)[3]);
enum status cuda_find_broken(struct solver *solver, size_t *body);
enum status cuda_accelerations(struct solver *solver, double (*out)[3]);
enum status cuda_largest(struct solver *solver, double *acceleration);
enum status cuda_memory(struct solver *solver, uint64_t *bytes);

#endif
