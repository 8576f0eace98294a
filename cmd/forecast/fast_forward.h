/* Brings a film's simulations to frames far ahead, quickly and roughly: for looking at what its
 * pictures will be like, never for making them.
 *
 * A simulation of its own runs ahead, whose steps are twice as long as the film's and whose forces
 * come, where time is short, from every 4th, 8th or 16th body a step, with a larger softening; its
 * state is then given to all of the film's simulations. Galaxies meet, are torn and merge as they
 * will; single bodies do not stay on their paths. Pictures of 16,384 bodies of the default scene
 * half-way take 2 % less bytes than the film's with all sources, 9 % more with every 8th, 18 % with
 * every 16th: the fewer sources, the more bodies are scattered. */
#ifndef CMD_FORECAST_FAST_FORWARD_H
#define CMD_FORECAST_FAST_FORWARD_H

#include "cmd/film/film.h"

#include <signal.h>

struct fast_forward;

struct fast_forward_params {
    const char *backend; /* as for simulation_open */
    int device;
    uint64_t frames;      /* that are to be covered */
    double frame_seconds; /* that a simulation of the film takes for one */
    double seconds;       /* that may be spent; decides how many sources there are */
};

/* The film, which outlives the fast_forward, began with film->bodies at frame 0. */
enum status fast_forward_open(struct fast_forward **out, struct film *film,
                              const struct fast_forward_params *params);
void fast_forward_close(struct fast_forward **fast_forward); /* accepts a pointer to NULL */

/* Goes on to `frame`, or, as `seconds` are over, stays where it is. *there: whether it arrived;
 * then the film's simulations stand at that frame too. STATUS_STOPPED after *stop. */
enum status fast_forward_go(struct fast_forward *fast_forward, uint64_t frame, double seconds,
                            volatile sig_atomic_t *stop, bool *there);

#endif
