/* Between the files of the CUDA solver: its state, and how its verbs begin and end. */
#ifndef SIM_SOLVER_CUDA_STATE_H
#define SIM_SOLVER_CUDA_STATE_H

#include "kernels/cuda/direct.h"
#include "kernels/cuda/plan.h"
#include "sim/solver/force.h"
#include "sim/solver/solver.h"

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
    const struct force_mode *mode;
    size_t subset;
    bool keeps;
    bool mixed;   /* softenings differ: halves are there */
    bool by_plan; /* forces of the mode fast from all sources, not mixed: `plan`, else `direct` */
    struct force_cuda_plan plan;
    struct force_direct_plan direct;
    const char *kernel_name; /* for messages */
    int device;
    double softening;
    double *mass; /* host */
    float *rows;  /* device from here on; padded; always of the present positions */
    double *wide; /* the same in double, in the mode double only */
    float *part;  /* sources of a turn, of the type that the mode wants */
    double *wide_part;
    float *halves; /* of softening, beside the rows of the same name; NULL unless mixed */
    double *wide_halves;
    float *part_halves;
    double *wide_part_halves;
    double *position, *velocity, *acceleration;
    float *tile_mass;
    double *kept; /* positions, velocities, accelerations of `keep`; NULL before the first */
    uint64_t kept_turn;
    void *slots;
    size_t slot_bytes;
    double *found;      /* room for one number or index that a kernel looked for */
    size_t free_before; /* bytes of the device's memory, before any was taken */
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

enum status cuda_open(const struct solver_params *params, const struct bodies *bodies,
                      struct solver **out);
void cuda_close(struct solver **solver);

/* Chooses the kernels and says so in solver.kernel; STATUS_RUNTIME when the device lacks the
 * memory, with what is needed and how many bodies would fit. */
enum status cuda_plan(struct cuda *cuda, const struct solver_params *params, int multiprocessors);

/* Makes the kicks that are pending: before velocities are read or accelerations replaced. */
enum status cuda_settle(struct cuda *cuda);

enum status cuda_accelerate(struct solver *solver);
enum status cuda_repeat(struct solver *solver, solver_step step, double dt, double damping,
                        uint64_t count, volatile int *stop, uint64_t *done);
void cuda_forget_graphs(struct cuda *cuda);
enum status cuda_potential(struct solver *solver, double *energy);

#endif
