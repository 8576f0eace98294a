/* How bodies are advanced: an integrator is one step of kicks and drifts, and a pacing says how the
 * steps of a frame are cut.
 *
 * Steps are equal, as the scene's clock cuts them, or adaptive within a frame, the same for all
 * bodies or one for each, or twice as long for bodies of large softening. integration_open chooses.
 *
 * A new integrator is an entry and a row in integrator.c. */
#pragma once

#include "base/choice.h"
#include "sim/params.h"
#include "sim/solver/solver.h"

#include <signal.h>
#include <stdbool.h>

enum integrator_trait {
    INTEGRATOR_DAMPS = 1,  /* has a use for simulation.damping; the others refuse it */
    INTEGRATOR_ADAPTS = 2, /* relies on accelerations that belong to the present positions (they are
                            * evaluated once before the first step) and leaves such accelerations,
                            * by which steps are chosen; the others leave those of their last
                            * evaluation */
    INTEGRATOR_SPLITS = 4, /* kick-drift-kick, in which each body can have steps of its own */
};

struct integrator {
    const char *name, *doc;
    int order; /* error over a given time is dt^order */
    int forces_per_step;
    unsigned traits;  /* of enum integrator_trait */
    solver_step step; /* makes one step of dt */
};

extern const struct integrator integrator_kdk;

/* The current frame, as the clock cuts it into equal steps. */
struct frame_span {
    uint64_t number;
    uint64_t moving; /* number of earlier frames in which time passes */
    uint64_t first;  /* number of steps before this frame */
    uint64_t steps;  /* steps in this frame */
    double dt;       /* length of a step; has the sign of the scene's dt */
    double duration;
};

/* State that a pacing keeps from one step to the next, besides the bodies and the number of steps.
 * Only the pacing reads it; the bytes are the same on every machine. At the start of a
 * frame it may be empty: the pacing then starts anew, as if another one had moved the bodies. */
struct integrator_state {
    size_t size;
    uint8_t *bytes; /* allocated by malloc; NULL: none */
};
enum { TICK_BYTES = 8 }; /* with adaptive steps: the tick of the frame comes first */

struct integration;

struct pacing {
    /* Advances from the present state to the end of the frame. Returns STATUS_STOPPED soon after
     * *stop (may be NULL) becomes nonzero; the next call continues as if it had not stopped. */
    enum status (*advance)(struct integration *integration, const struct frame_span *frame,
                           volatile sig_atomic_t *stop);
    /* The part of the frame that has passed, below 1. NULL: derived from the steps made. */
    double (*passed)(const struct integration *integration);
    /* Saves its state into an empty integrator_state. NULL: it has no state. */
    enum status (*save)(const struct integration *integration, struct integrator_state *out);
    /* Continues within this frame, after the given number of steps since the start of the run.
     * STATUS_USAGE, changing nothing, if the pacing never reaches that state. */
    enum status (*load)(struct integration *integration, const struct frame_span *frame,
                        uint64_t steps, const struct integrator_state *state);
};

extern const struct pacing pacing_equal, pacing_adaptive, pacing_blocks, pacing_doubled,
    pacing_split;

/* Adaptive steps, and their progress within a frame. */
struct adaptive {
    double eta;       /* accuracy of the steps; 0: not adaptive */
    double softening; /* the smallest of all bodies */
    double frame_time;
    uint64_t tick;    /* ticks of the frame that have passed, see sim/solver/solver.h */
    const char *pace; /* the parameter that makes frames shorter, for messages */
};

/* Integrator and pacing at work on a solver's bodies. Used by one thread at a time. */
struct integration {
    const struct integrator *integrator;
    const struct pacing *pacing;
    struct solver *solver;
    double dt;                   /* of the clock outside slow motion */
    double damping;              /* factor on velocities per dt; 1: none */
    const struct bodies *bodies; /* with their components */
    double usual_softening;      /* of bodies without one of their own */
    double doubled_from;         /* softening from which bodies make longer steps */
    uint64_t long_steps;         /* of the parameters */
    uint64_t steps;              /* made since the start of the run */
    /* the state of the pacing */
    struct adaptive adaptive;
    uint64_t made[RUNGS]; /* steps per body: the number of body steps begun on each rung */
    bool assigned;        /* doubled or split steps: the solver has the bodies' rungs */
};

/* STATUS_USAGE with a message if dt, damping or adaptive are out of range or not supported by the
 * integrator. */
enum status integrator_check(const struct simulation_params *params);

/* Whether these parameters need solver_params.keeps. */
bool integrator_keeps(const struct simulation_params *params);

/* The integrator named by params, which integrator_check has accepted, with the best pacing that
 * they ask for and this solver has. Cannot fail. bodies: they must outlive it, as to their
 * components; softening: the smallest of all bodies. */
struct integration *integration_open(const struct simulation_params *params, struct solver *solver,
                                     const struct bodies *bodies, double softening);
void integration_close(struct integration **integration); /* accepts a pointer to NULL */

/* Replaces *out, which is empty or was saved before. The caller frees its bytes. */
enum status integration_save(const struct integration *integration, struct integrator_state *out);

/* [RUNGS] with steps per body, else NULL. */
const uint64_t *integration_rungs(const struct integration *integration);

/* STATUS_USAGE: no run with these parameters reaches this step of this frame. */
enum status integrator_refuse_state(const struct frame_span *frame, uint64_t steps);

/* Rungs of bodies whose steps are longer because of their softening, and of the others. */
enum { LONGER, SHORTER };

/* Tells the solver the rung of each body. STATUS_RUNTIME: no memory. */
enum status integration_assign(struct integration *integration);

/* ---- adaptive.c ---- */

/* Adaptive steps within a frame, the same for all bodies.
 *
 * A frame of length T is cut into steps of T / 2^k that begin at multiples of their own length, so
 * that frames end exactly at their time. A step is allowed if T / 2^k <= eta sqrt(eps / a) for the
 * largest acceleration a at its beginning and at its end (criterion: Power et al., MNRAS 338:14,
 * 2003; Springel, MNRAS 364:1105, 2005, eq. 34). The longest allowed step that fits is made, and
 * undone if the accelerations at its end forbid it. Choosing by both ends keeps the leapfrog nearly
 * time-symmetric, so that the energy does not drift (Hut, Makino and McMillan, ApJ 443:L93, 1995;
 * Makino et al., New Astronomy 12:124, 2006).
 *
 * adaptive_step makes one step; the solver's accelerations must belong to its positions, and do so
 * afterwards. *done: the frame is complete, and the next call begins the next frame. STATUS_RUNTIME
 * if more than RUNG_MOST halvings would be needed. */
enum status adaptive_step(struct adaptive *adaptive, struct solver *solver, solver_step step,
                          double damping, bool *done);

/* A step for each body within a frame: block time steps, kick-drift-kick (T. Quinn et al.,
 * arXiv:astro-ph/9710043, 1997; V. Springel, MNRAS 364:1105, 2005, section 4).
 *
 * A body's step is the longest T / 2^k that its own acceleration and softening allow
 * (sim/solver/solver.h) and that may begin where its last step ended: a step can become shorter at
 * any time, but longer only at a multiple of the longer step. A body is kicked by half of its own
 * step at both ends of the step. All bodies drift together, from one end of a step to the next, and
 * only bodies whose step ends there get new accelerations. All steps end at frames. If all bodies
 * have the same length of step, they move as by adaptive_step, to the last bit.
 *
 * blocks_step advances from one end of a step of some bodies to the next. adaptive: as for
 * adaptive_step, except that its softening is not used. made[k]: increased by the number of bodies
 * that began a step on rung k. */
enum status blocks_step(struct adaptive *adaptive, struct solver *solver, uint64_t made[RUNGS],
                        bool *done);
