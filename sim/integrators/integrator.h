/* An integrator is a value: its name, its documentation, and how it advances the bodies to the end
 * of a frame.
 *
 * Most integrators make the equal steps of the scene's clock: they have a `step` of kicks and
 * drifts, which equal_steps repeats. Others choose their own steps, may keep a state from one step
 * to the next, and save it for checkpoints.
 *
 * A new integrator is a file with its entry, and a row in integrator.c. One that adapts the steps
 * of another has no row: the other names it in `adapted_by`. */
#pragma once

#include "base/choice.h"
#include "sim/params.h"
#include "sim/solver/solver.h"

#include <signal.h>
#include <stdbool.h>

struct integrator;

/* An integrator at work on a solver's bodies. An integrator with its own state keeps it in a struct
 * that begins with this one. Used by one thread at a time. */
struct integration {
    const struct integrator *integrator;
    struct solver *solver;
    solver_step step; /* of the scene's integrator, even if another one adapts its steps */
    double dt;        /* of the clock outside slow motion */
    double damping;   /* factor on velocities per dt; 1: none */
    double eta;       /* accuracy of adaptive steps; 0: not adaptive */
    double softening; /* smallest softening of all bodies */
    const struct bodies *bodies; /* with their components */
    double usual_softening;      /* of bodies without one of their own */
    double doubled_from;         /* softening from which bodies make steps of twice the length */
    const char *pace;            /* the parameter that makes frames shorter, for messages */
    uint64_t steps;              /* made since the start of the run; integrators count them */
};

/* The current frame, as the clock cuts it into equal steps. */
struct frame_span {
    uint64_t number;
    uint64_t moving; /* number of earlier frames in which time passes */
    uint64_t first;  /* number of steps before this frame */
    uint64_t steps;  /* steps in this frame */
    double dt;       /* length of a step; has the sign of the scene's dt */
    double duration;
};

/* State that an integrator keeps from one step to the next, besides the bodies and the number of
 * steps. Only the integrator reads it; the bytes are the same on every machine. At the start of a
 * frame it may be empty: the integrator then starts anew, as if another integrator had moved the
 * bodies. */
struct integrator_state {
    size_t size;
    uint8_t *bytes; /* allocated by malloc; NULL: none */
};

struct integrator {
    const char *name, *doc;
    int order; /* error over a given time is dt^order; 0: it has no step of fixed length */
    int forces_per_step;
    /* Makes one step of dt. If the steps can be adapted, `step` relies on accelerations that belong
     * to the present positions (they are evaluated once before the first step) and leaves such
     * accelerations; otherwise it leaves those of its last evaluation. NULL: the integrator chooses
     * its own steps. */
    solver_step step;
    /* NULL-terminated list of the integrators that adapt its steps if simulation.adaptive is set,
     * best first; the last works with every solver. NULL: its steps cannot be adapted. */
    const struct integrator *const *adapted_by;
    const struct integrator *doubled_by; /* the same for simulation.double_steps */
    size_t size;                         /* of the struct that begins with struct integration */
    bool keeps;                          /* undoes steps by the solver's keep and restore */
    /* STATUS_USAGE for parameters that the integrator does not support. NULL: it supports all. */
    enum status (*check)(const struct simulation_params *params);
    /* Whether it can advance the bodies of this solver. NULL: of any solver. */
    bool (*able)(const struct solver *solver);
    /* Advances from the present state to the end of the frame. Returns STATUS_STOPPED soon after
     * *stop (may be NULL) becomes nonzero; the next call continues as if it had not stopped. */
    enum status (*advance)(struct integration *integration, const struct frame_span *frame,
                           volatile sig_atomic_t *stop);
    /* The part of the frame that has passed, below 1. NULL: derived from the steps made. */
    double (*passed)(const struct integration *integration);
    /* Saves its state into an empty integrator_state. NULL: it has no state. */
    enum status (*save)(const struct integration *integration, struct integrator_state *out);
    /* Continues within this frame, after the given number of steps since the start of the run.
     * STATUS_USAGE, changing nothing, if the integrator never reaches that state. */
    enum status (*load)(struct integration *integration, const struct frame_span *frame,
                        uint64_t steps, const struct integrator_state *state);
    /* Integrators with steps per body: [RUNGS], the number of body steps begun on each rung, see
     * sim/solver/solver.h. NULL: all bodies share each step. */
    const uint64_t *(*rungs)(const struct integration *integration);
};

/* STATUS_USAGE with a message if dt, damping or adaptive are out of range or not supported by the
 * integrator. */
enum status integrator_check(const struct simulation_params *params);

/* Whether these parameters need solver_params.keeps. */
bool integrator_keeps(const struct simulation_params *params);

/* Opens the integrator named by params, which integrator_check has accepted, or the integrator that
 * adapts or doubles its steps with this solver. Cannot fail. bodies: they must outlive it, as to
 * their components; softening: the smallest of all bodies. */
struct integration *integration_open(const struct simulation_params *params, struct solver *solver,
                                     const struct bodies *bodies, double softening);
void integration_close(struct integration **integration); /* accepts a pointer to NULL */

/* Replaces *out, which is empty or was saved before. The caller frees its bytes. */
enum status integration_save(const struct integration *integration, struct integrator_state *out);

/* ---- helpers for entries ---- */

/* advance and load of an integrator that repeats its `step` */
enum status equal_steps(struct integration *integration, const struct frame_span *frame,
                        volatile sig_atomic_t *stop);
enum status equal_steps_load(struct integration *integration, const struct frame_span *frame,
                             uint64_t steps, const struct integrator_state *state);

/* check of an integrator that ignores `damping` */
enum status integrator_never_damps(const struct simulation_params *params);

/* STATUS_USAGE: no run with these parameters reaches this step of this frame. */
enum status integrator_refuse_state(const struct frame_span *frame, uint64_t steps);
