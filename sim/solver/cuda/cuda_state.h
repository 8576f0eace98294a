/* The state of a CUDA solver: the bodies in device memory, how functions of struct solver_ops begin
 * and end, and those functions that only change or copy the bodies. */
#pragma once

#include "base/status.h"
#include "kernels/tree/cuda/neighbours.h"
#include "sim/solver/cuda/device.h"
#include "sim/solver/solver.h"
#include "sim/solver/tiles.h"

#include <cuda_runtime_api.h>
#include <stddef.h>

enum { CUDA_TIMERS = 32, CUDA_GRAPHS = 2, CUDA_PENDING = 2 };

/* The recorded launches of some steps; executable NULL: none recorded. */
struct cuda_graph {
    cudaGraphExec_t executable;
    solver_step step; /* what was recorded */
    double dt, damping;
    uint64_t steps;
    enum force_past past;
    double interactions; /* interactions in one replay */
    uint64_t turns;
};

struct cuda {
    struct solver solver;
    int device;
    size_t number, subset;    /* as in force_ops and solver_setup */
    size_t padded;            /* number of rows with padding */
    struct sources sources;   /* what the force reads */
    double *mass;             /* in host memory, as are the tiles */
    struct tiles tiles;       /* empty unless the force is tiled */
    void *rows, *halves;      /* device memory from here on, see struct sources */
    void *part, *part_halves; /* the sources of the current turn; NULL if all bodies are sources */
    unsigned *order;          /* tiles.order; NULL without tiles, as are the next arrays */
    double *centres, *part_centres; /* of the tiles of rows and part */
    unsigned char *chosen;          /* input of the centres, as in struct tiles */
    double *weights;
    double *position, *velocity, *acceleration;
    double *kept; /* positions, velocities, accelerations saved by `keep`; NULL before the first
                   * call */
    uint64_t kept_turn;
    struct neighbours_cuda_plan near_plan;
    unsigned *near_bodies; /* solver.near.bodies; NULL: all */
    unsigned *near_starts; /* solver.near.starts; NULL: views have no order */
    float *near_last;      /* see neighbours_cuda_find; NULL until a view needs it */
    void *near_work;       /* at the end of the force's memory, if there is room: */
    bool near_lent;
    /* With memory of its own the search runs beside the next steps, on a stream of its own, from a
     * copy of the positions; stream NULL: it does not. */
    double *near_position;
    cudaStream_t near_stream;
    cudaEvent_t near_begun, near_done;
    uint8_t *rungs;     /* for steps per body; NULL if the force is not partial */
    uint64_t *found;    /* [RUNGS + 1]: results of a kernel, one number or more */
    size_t free_before; /* free device memory in bytes before the solver took any */
    cudaStream_t stream;
    cudaEvent_t timer[CUDA_TIMERS][2]; /* start and end of evaluations not yet included in
                                        * force_seconds */
    int timed;
    /* Number of kicks requested but not yet made, all with the present accelerations: the last kick
     * of a leapfrog and the first of the next step are made together with the drift between them.
     * See cuda_settle. */
    int pending;
    double pending_kick[CUDA_PENDING];
    struct cuda_graph graphs[CUDA_GRAPHS];
    int last_graph;
    bool recording; /* launches are being recorded: nothing runs, and nothing may wait */
};

static inline struct cuda *cuda_of(struct solver *solver)
{
    return (struct cuda *)solver;
}

/* `what` completes "CUDA could not ..."; the message names kernel, N and device. */
enum status cuda_check(const struct cuda *cuda, int error, const char *what);

/* Selects the solver's device in the calling thread: CUDA keeps the current device per thread, and
 * a solver may be used from different threads. */
enum status cuda_enter(const struct cuda *cuda);

/* Waits for all work under way and adds up the timers. */
enum status cuda_finish(struct cuda *cuda, const char *what);
enum status cuda_fetch(struct cuda *cuda, void *host, const void *device, size_t bytes,
                       const char *what);

/* Makes the pending kicks; required before velocities are read or accelerations replaced. */
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

/* ---- opening ---- */

/* Verbs of struct solver_ops. */
enum status cuda_open(const struct solver_setup *setup, const struct bodies *bodies,
                      struct solver **out);
void cuda_close(struct solver **solver);

/* ---- views ---- */

void cuda_near_close(struct cuda *cuda);

/* Verbs of struct solver_ops. */
enum status cuda_view_create(struct solver *solver, struct view **out);
enum status cuda_view_fill(struct solver *solver, struct view *view);
enum status cuda_view_read(struct solver *solver, const float *from, size_t count, float *to);
void cuda_view_destroy(struct solver *solver, struct view **view);

/* ---- evaluations and steps ---- */

/* Steps recorded as CUDA graphs and replayed: at 4,096 bodies separate launches would cost more
 * than the forces. */

void cuda_forget_graphs(struct cuda *cuda);
