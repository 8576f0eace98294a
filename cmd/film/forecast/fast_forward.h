/* Advances a film's simulations to a later frame, quickly and roughly, so that a trial (trial.h)
 * can measure pictures there; never for making them. Different from the pilot run
 * (sim/pilot/pilot.h), which finds when things happen before a film is drawn, gives the same result
 * on every machine and does not move the film's simulations.
 *
 * A separate simulation of all bodies runs ahead, with steps twice as long as the film's. A tree's
 * forces are rough; if time is short, all-pairs forces use every 4th, 8th or 16th body per step,
 * with a larger softening. Its state is then given to all of the film's simulations. Galaxies meet,
 * are torn apart and merge as in the film, but single bodies do not stay on their paths. For 16,384
 * bodies of the default scene, pictures half-way take 2 % fewer bytes than the film's with all
 * sources, 9 % more with every 8th and 18 % more with every 16th: with fewer sources, bodies are
 * more scattered. */
#pragma once

#include "cmd/film/film.h"

#include <signal.h>

struct fast_forward;

struct fast_forward_params {
    uint64_t frames;      /* to cover */
    double frame_seconds; /* that one simulation of the film takes per frame */
    double seconds;       /* time limit; without a tree, it decides the number of sources */
};

/* The film must outlive it. */
enum status fast_forward_open(struct fast_forward **out, struct film *film,
                              const struct fast_forward_params *params);
void fast_forward_close(struct fast_forward **fast_forward); /* accepts a pointer to NULL */

/* Advances to `frame`, or stops on the way when that would take more than `seconds`. *there:
 * whether it arrived; then the film's simulations are at that frame too. STATUS_STOPPED after
 * *stop. */
enum status fast_forward_go(struct fast_forward *fast_forward, uint64_t frame, double seconds,
                            volatile sig_atomic_t *stop, bool *there);
