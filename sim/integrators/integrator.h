/* An integrator is a value: its name, its documentation, and how it advances the bodies to the end
 * of a frame.
 *
 * Most make the equal steps of the scene's clock: they have a `step` of kicks and drifts, which
 * equal_steps repeats. Others choose their steps themselves, may keep a state of their own from one
 * to the next, and save it for checkpoints.
 *
 * A new integrator is a file with its entry, and a row in integrator.c. */
#ifndef SIM_INTEGRATORS_INTEGRATOR_H
#define SIM_INTEGRATORS_INTEGRATOR_H

#include "base/choice.h"
#include "sim/params.h"
#include "sim/solver/solver.h"

#include <signal.h>
#include <stdbool.h>

struct integrator;

/* An integrator at work on a solver's bodies. One with a state of its own keeps it in a struct that
 * begins with this one. Used by one thread at a time. */
struct integration {
    const struct integrator *integrator;
    struct solver *solver;
    solver_step step; /* of the scene's integrator, also where another one adapts its steps */
    double dt;        /* of the clock outside slow motion */
    double damping;   /* factor on velocities per dt; 1: none */
    double eta;       /* accuracy of adaptive steps; 0: none were asked for */
    double softening; /* the least of all bodies */
    const char *pace; /* what makes frames shorter, for a sentence */
    uint64_t steps;   /* made since the start of the run; integrators count them */
};

/* The frame that is under way, as the clock cuts it into equal steps. */
struct frame_span {
    uint64_t number;
    uint64_t moving; /* frames before it in which time passes */
    uint64_t first;  /* steps before it */
    uint64_t steps;  /* in it */
    double dt;       /* length of a step; of the sign of the scene's */
    double duration;
};

/* What an integrator keeps from one step to the next besides the bodies and the number of steps.
 * Only the integrator reads it; the bytes are the same on every machine. Where a frame begins it
 * may be empty: the integrator starts anew, as from bodies that another one has moved. */
struct integrator_state {
    size_t size;
    uint8_t *bytes; /* of malloc; NULL: none */
};

struct integrator {
    const char *name, *doc;
    int order; /* error of a step of dt over a given time: dt^order; 0: it has no such step */
    int forces_per_step;
    /* One step of dt. Where steps can be adapted it relies on accelerations that belong to the
     * present positions (they are evaluated once before the first step) and leaves them so;
     * otherwise the accelerations left are those of its last evaluation. NULL: its steps are its
     * own. */
    solver_step step;
    /* The integrators that adapt its steps if simulation.adaptive asks for it, best first, up to a
     * NULL; the last one does with every solver. NULL: its steps cannot be adapted. */
    const struct integrator *const *adapted_by;
    size_t size; /* of the struct that begins with struct integration */
    bool keeps;  /* undoes steps by the solver's keep and restore */
    /* STATUS_USAGE for parameters that it has no use for. NULL: it takes all. */
    enum status (*check)(const struct simulation_params *params);
    /* Whether it can advance the bodies of that solver. NULL: all. */
    bool (*able)(const struct solver *solver);
    /* From where the bodies are to the end of the frame. Returns STATUS_STOPPED soon after *stop
     * (may be NULL) becomes nonzero, and the next call continues as if it had not. */
    enum status (*advance)(struct integration *integration, const struct frame_span *frame,
                           volatile sig_atomic_t *stop);
    /* The part of the frame that has passed, below 1. NULL: that follows from the steps made. */
    double (*passed)(const struct integration *integration);
    /* Into an empty one. NULL: it has no state of its own. */
    enum status (*save)(const struct integration *integration, struct integrator_state *out);
    /* Continues within this frame after so many steps since the start of the run. STATUS_USAGE,
     * leaving all as it is: it never gets there. */
    enum status (*load)(struct integration *integration, const struct frame_span *frame,
                        uint64_t steps, const struct integrator_state *state);
    /* With steps per body: [RUNGS], how many steps of bodies began on each rung, see rungs.h. NULL:
     * all bodies share each step. */
    const uint64_t *(*rungs)(const struct integration *integration);
};

/* STATUS_USAGE and its sentence for dt, damping and adaptive that are out of range or that the
 * integrator has no use for. */
enum status integrator_check(const struct simulation_params *params);

/* Whether solver_params.keeps is needed for these. */
bool integrator_keeps(const struct simulation_params *params);

/* The integrator of params that integrator_check accepts, or the one that adapts its steps with
 * this solver. Cannot fail. `softening`: the least of all bodies. */
struct integration *integration_open(const struct simulation_params *params, struct solver *solver,
                                     double softening);
void integration_close(struct integration **integration); /* accepts a pointer to NULL */

/* Replaces *out, an empty one or one that was saved before. The caller frees its bytes. */
enum status integration_save(const struct integration *integration, struct integrator_state *out);

/* ---- for entries ---- */

/* advance and load of an integrator that repeats its `step` */
enum status equal_steps(struct integration *integration, const struct frame_span *frame,
                        volatile sig_atomic_t *stop);
enum status equal_steps_load(struct integration *integration, const struct frame_span *frame,
                             uint64_t steps, const struct integrator_state *state);

/* check of an integrator that ignores `damping` */
enum status integrator_never_damps(const struct simulation_params *params);

/* STATUS_USAGE: no run of these parameters is at this step of this frame. */
enum status integrator_refuse_state(const struct frame_span *frame, uint64_t steps);

#endif
