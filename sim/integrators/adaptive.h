/* Adaptive steps within a frame, the same step for all bodies.
 *
 * A frame of length T is cut into steps of T / 2^k that begin at multiples of their own length, so
 * that frames end exactly at their time. A step is allowed if T / 2^k <= eta sqrt(eps / a) for the
 * largest acceleration a at its beginning and at its end (criterion: Power et al., MNRAS 338:14,
 * 2003; Springel, MNRAS 364:1105, 2005, eq. 34). The longest allowed step that fits is made, and
 * undone if the accelerations at its end forbid it. Choosing by both ends keeps the leapfrog nearly
 * time-symmetric, so that the energy does not drift (Hut, Makino and McMillan, ApJ 443:L93, 1995;
 * Makino et al., New Astronomy 12:124, 2006). */
#pragma once

#include "sim/integrators/integrator.h"
#include "sim/solver/solver.h"

struct adaptive {
    double eta, softening, frame_time; /* softening: the smallest of all bodies */
    uint64_t tick;    /* ticks of the frame that have passed, see sim/solver/solver.h */
    const char *pace; /* the parameter that makes frames shorter, for messages */
};

struct rung_rule adaptive_rule(const struct adaptive *adaptive);

/* Returns STATUS_RUNTIME with a message that a body needs a step shorter than the shortest. */
enum status adaptive_too_short(const struct adaptive *adaptive);

/* Makes one step; the solver's accelerations must belong to its positions, and do so afterwards.
 * *done: the frame is complete, and the next call begins the next frame. STATUS_RUNTIME if more
 * than RUNG_MOST halvings would be needed. */
enum status adaptive_step(struct adaptive *adaptive, struct solver *solver, solver_step step,
                          double damping, bool *done);

/* The progress within a frame of adaptive steps. */
struct adaptive_integration {
    struct integration integration;
    struct adaptive adaptive;
};

extern const struct integrator integrator_adaptive; /* repeats adaptive_step */

/* For an integrator whose struct begins with struct adaptive_integration. `make` makes one step. */
enum status adaptive_advance(struct integration *integration, const struct frame_span *frame,
                             volatile sig_atomic_t *stop,
                             enum status (*make)(struct adaptive_integration *self, bool *done));
enum status adaptive_check(const struct simulation_params *params);
double adaptive_passed(const struct integration *integration);

/* Saves the tick in TICK_BYTES, followed by `more` bytes set to zero; nothing at tick 0. */
enum { TICK_BYTES = 8 };
enum status adaptive_save(const struct integration *integration, size_t more,
                          struct integrator_state *out);
enum status adaptive_load(struct integration *integration, const struct frame_span *frame,
                          uint64_t steps, const struct integrator_state *state, size_t more);
