/* A solver is a backend: memory for the bodies plus a few functions. CPU and CUDA are two tables.
 *
 * State (position, velocity) is double on every backend; forces are computed from a copy of it
 * (force.h), in float or double depending on the force. a_i = sum_j m_j (x_j - x_i) / (|x_j -
 * x_i|^2 + eps_ij^2)^(3/2), G = 1: Plummer softening, unless a spline is selected
 * (kernels/spline.h); sim/gravity/force.h defines eps_ij when components have their own softening.
 * Results are deterministic: the same bits for the same input, kernel and kind of device and any
 * number of threads; with the force exact on every device.
 *
 * A solver is used by one thread at a time. Functions other than open check no arguments:
 * solver_open does. After a failure a solver can only be closed.
 *
 * A new backend is a folder with its entry, a row in solver.c, and for each force that it has a
 * path in the force's folder (sim/gravity/force.h). */
#pragma once

#include "base/choice.h"
#include "base/status.h"
#include "sim/bodies/bodies.h"
#include "sim/gravity/force.h"
#include "sim/view.h"

#include <signal.h>
#include <stdint.h>

/* Rungs: the step length of a body. A frame of length T is divided into 2^RUNG_MOST ticks; a step
 * on rung k has the length T / 2^k and begins at a multiple of its length. A step may be at most
 * eta sqrt(eps / a) long (C. Power et al., MNRAS 338:14, 2003; V. Springel, MNRAS 364:1105, 2005,
 * eq. 34). */

enum { RUNG_MOST = 20, RUNGS = RUNG_MOST + 1 };

struct rung_rule {
    double eta, frame_time; /* frame_time may be negative */
};

/* The lowest rung that an acceleration of this magnitude allows; RUNGS: no rung is short enough. 0
 * if it is not finite: the caller that advances the body checks for that. */
int rung_for(const struct rung_rule *rule, double softening, double acceleration);

/* The rung of the longest step that may begin at a tick of a frame. A step of rung k that began
 * earlier ends at this tick if k is at least the returned rung. */
int rung_at(uint64_t tick);

/* The number of ticks in a step. */
static inline uint64_t rung_ticks(int rung)
{
    return (uint64_t)1 << (RUNG_MOST - rung);
}

struct solver_params {
    double softening; /* > 0, for components that do not have their own */
    const struct softening_kernel *softening_kernel; /* NULL: Plummer's */
    const struct force_ops *force;
    double force_error; /* for a force with a selectable error; 0: FORCE_ERROR_DEFAULT */
    uint32_t subset;    /* 2, 4, 8 or 16: an evaluation uses every subset-th source, see turn; 0 and
                           1: all of them */
    bool keeps;         /* keep and restore will be used: reserves memory for them */
    bool own;           /* on ranks: the solver is this process's alone */
    int device;         /* number; ignored by a backend with a single device */
    const char *kernel; /* "auto" (also NULL); tests force one: "baseline", "avx2", "avx512" or
                           "neon" on the CPU, "split" or "pairs128" to "pairs1024" on CUDA */
};

/* Derived by solver_open from the parameters, for ops->open. */
struct solver_setup {
    const struct force_ops *force;
    const struct force_path *path; /* the path of the force for this backend */
    double softening;              /* of bodies without their own; unless mixed, of all bodies */
    double force_error;
    bool mixed;  /* forces are told each body's softening, see sim/gravity/force.h: these differ, or
                  */
    bool spline; /* softening is by a spline */
    size_t subset; /* at least 1 */
    bool keeps;
    int device;
    const char *backend; /* as asked for: "auto", "cpu" or "cuda" */
    const char *kernel;  /* never NULL */
};

/* Neighbours in views: among all bodies, or among some of them. */
struct solver_near {
    unsigned k;             /* from 1 to NEIGHBOURS_MOST of sim/gravity/tree/neighbours.h */
    size_t count;           /* of bodies, > 0 */
    const uint32_t *bodies; /* the numbers of the bodies that take part, ascending; NULL: all. Must
                             * outlive the solver. */
    const uint32_t *starts; /* [parts]: the first body of each component, ascending, for the order
                             * of views. Must outlive the solver. */
    unsigned parts;
};

struct solver {
    const struct solver_ops *ops;
    struct force *force;
    const char *kernel; /* force->kernel: a description of the chosen kernel */
    size_t count;
    uint64_t turn;        /* evaluations so far; the next one uses the rows k with k % subset ==
                             turn % subset, their masses multiplied by subset */
    double interactions;  /* pairs evaluated so far, as counted by the force */
    double force_seconds; /* time spent in evaluations, as far as it is known (device time on
                           * CUDA) */
    bool samples;         /* views are created with a sample, see simulation_sample_views */
    struct column_names columns; /* columns of created views: COLUMN_ACCELERATION, COLUMN_DISTANCE,
                                  * and COLUMN_DISPERSION, which requires COLUMN_DISTANCE */
    struct solver_near near;     /* for the columns of neighbours */
    const uint64_t *watched;     /* [watched_count] bodies whose rows a view on a device copies to
                                  * its `watched`; must outlive the solver */
    size_t watched_count;
    char device[128];  /* "NVIDIA H200", "Intel ... (2 threads)" */
    const char *model; /* the part of it that results may depend on: "NVIDIA H200", else the
                        * backend */
};

/* Components of bodies whose views have an order, at most. */
enum { SOLVER_ORDERED_PARTS = 64 };

/* Whether views have an order: those on a device with COLUMN_DISTANCE, if it is asked for. */
bool solver_orders_views(const struct solver *solver);

/* One step of an integrator: kicks, drifts and accelerations of length dt. */
typedef enum status (*solver_step)(struct solver *solver, double dt, double damping);

/* Steps per body, for forces whose path is partial. */
struct solver_blocks {
    /* Chooses new rungs, none below `from`, for the bodies from rung `from` on, by their
     * accelerations. count: the number of those bodies on each new rung; the last, RUNGS: bodies
     * for which no rung is short enough. */
    enum status (*choose)(struct solver *solver, const struct rung_rule *rule, int from,
                          uint64_t count[RUNGS + 1]);
    /* The next two act only on the bodies from rung `from` on. */
    enum status (*accelerate)(struct solver *solver, int from);
    /* v += a dt / 2, where dt is the step of the body's rung */
    enum status (*kick_half)(struct solver *solver, double frame_time, int from);
    enum status (*save)(struct solver *solver, uint8_t *rungs); /* of all bodies */
    enum status (*load)(struct solver *solver, const uint8_t *rungs);
    const struct solver_apart *apart; /* NULL: not available */
};

/* Accelerations in two parts: what the bodies from rung `from` (the same at every call since
 * `load`) exert on each other alone, and everything else. */
struct solver_apart {
    /* v += a dt for those bodies by the first part, at the present positions */
    enum status (*kick)(struct solver *solver, double dt, int from);
    /* a from the present positions as the sum of both parts; `kick` then uses the same first part
     */
    enum status (*accelerate)(struct solver *solver, int from);
    /* The first part of those bodies, `count` of them; false: it is not known. */
    bool (*save)(const struct solver *solver, size_t *count, const double (**acceleration)[3]);
    /* Sets it as saved; STATUS_USAGE: there are not `count` such bodies. */
    enum status (*load)(struct solver *solver, int from, size_t count,
                        const double (*acceleration)[3]);
};

/* No body. */
#define SOLVER_NONE SIZE_MAX

struct solver_ops {
    const char *name, *doc;
    enum view_memory views; /* the memory that they lie in */
    bool numbered;          /* the machine may have several of its devices, selected by number */
    /* Whether it has a force; NULL: as force_path_of says. */
    bool (*has)(const struct force_ops *force);
    /* Whether this backend can run here; the message says why not. */
    enum status (*probe)(int device);
    /* Describes the device: "NVIDIA H200, 132 multiprocessors, 139.8 GiB". */
    enum status (*describe)(int device, char *text, size_t size);
    /* Whether the device, which the probe accepts, may have an encoder of films; NULL: none has. */
    bool (*encodes)(int device);
    /* For a backend whose probe succeeds. solver_open sets ops. */
    enum status (*open)(const struct solver_setup *setup, const struct bodies *bodies,
                        struct solver **out);
    enum status (*accelerate)(struct solver *solver);          /* a from the present positions */
    enum status (*kick)(struct solver *solver, double dt);     /* v += a dt */
    enum status (*drift)(struct solver *solver, double dt);    /* x += v dt */
    enum status (*damp)(struct solver *solver, double factor); /* v *= factor */
    /* solver_repeat for a backend that has a faster way than calling `step`, used if the force is
     * repeatable; NULL: it has none. */
    enum status (*repeat)(struct solver *solver, solver_step step, double dt, double damping,
                          uint64_t count, volatile sig_atomic_t *stop, uint64_t *done);
    const struct solver_blocks *blocks;            /* NULL: this backend has no steps per body */
    enum status (*keep)(struct solver *solver);    /* saves x, v, a and turn for restore */
    enum status (*restore)(struct solver *solver); /* back to what was kept last */
    enum status (*potential)(struct solver *solver,
                             double *energy); /* total, without self-energy */
    enum status (*save)(struct solver *solver, struct bodies *bodies); /* x, v into bodies */
    /* Loads x, v and a as saved from a solver of the same bodies; the caller sets turn. */
    enum status (*load)(struct solver *solver, const double (*position)[3],
                        const double (*velocity)[3], const double (*acceleration)[3]);
    /* The number of the first body whose position or velocity is not finite, or SOLVER_NONE. */
    enum status (*find_broken)(struct solver *solver, size_t *body);
    enum status (*accelerations)(struct solver *solver, double (*out)[3]); /* last ones, to host */
    enum status (*largest)(struct solver *solver,
                           double *acceleration); /* magnitude of the largest one */
    enum status (*view_create)(struct solver *solver, struct view **out); /* NULL on failure */
    enum status (*view_fill)(struct solver *solver, struct view *view);   /* complete on return */
    /* Copies numbers of a view from the backend's memory to host memory. */
    enum status (*view_read)(struct solver *solver, const float *from, size_t count, float *to);
    void (*view_destroy)(struct solver *solver, struct view **view);
    /* Device memory allocated since just before this solver was opened, by everything that runs on
     * its device; NULL: the backend uses none. Callable on any thread while no other function of
     * the solver runs. */
    enum status (*memory)(struct solver *solver, uint64_t *bytes);
    void (*close)(struct solver **solver); /* accepts a pointer to NULL; destroy views first */
};

extern const struct registry solver_registry; /* of struct solver_ops, best first */
extern const char solver_choices[];           /* values of --backend: "auto|cpu|cuda" */

/* Finds the backend of that name ("cpu" or "cuda") or, for "auto", the first whose probe succeeds;
 * logs at debug level why others were skipped. STATUS_DEVICE if a named backend cannot run. */
enum status solver_choose(const char *backend, int device, const struct solver_ops **out);

/* Opens the backend that solver_choose finds among those that have the force or, on ranks that
 * share the bodies and make all calls alike (sim/ranks/rank_solver.h), unless params->own: theirs.
 * Checks softening, also that of components, and that no position, velocity or mass is NaN or
 * infinite. */
enum status solver_open(const char *backend, const struct solver_params *params,
                        const struct bodies *bodies, struct solver **out);
/* Makes `count` steps. Returns STATUS_STOPPED soon after *stop (may be NULL) becomes nonzero.
 * *done: the number of steps made. CUDA records the launches of a step once and replays them;
 * force_seconds then includes the whole steps. */
enum status solver_repeat(struct solver *solver, solver_step step, double dt, double damping,
                          uint64_t count, volatile sig_atomic_t *stop, uint64_t *done);
void solver_close(struct solver **solver);

/* Sets the number of threads, from now on, for forces evaluated on the CPU by the calling thread,
 * 0: as many as the processors allow. Returns the previous value. Results do not depend on it. */
unsigned solver_use_threads(unsigned threads);

/* The backends: one that runs everywhere, by OpenMP and SIMD, and one for NVIDIA GPUs, whose probe
 * reports that it is missing in a program built without CUDA. */
extern const struct solver_ops solver_cpu, solver_cuda;
