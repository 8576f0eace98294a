/* Brings a film's simulations to frames far ahead, quickly and roughly: for looking at what its
 * pictures will be like, never for making them.
 *
 * A simulation of its own runs ahead, whose steps are twice as long as the film's and whose forces
 * come from every 16th body a step (of few bodies from more); its state is then given to all of the
 * film's simulations. Galaxies meet, are torn and merge as they will; single bodies do not stay on
 * their paths. */
#ifndef CMD_SCOUT_H
#define CMD_SCOUT_H

#include "cmd/film.h"

#include <signal.h>

struct scout;

/* The film stands at its frame 0 and outlives the scout. */
enum status scout_open(struct scout **out, struct film *film, const char *backend, int device);
void scout_close(struct scout **scout); /* accepts a pointer to NULL */

/* Goes on to `frame`, or, as `seconds` are over, stays where it is. *there: whether it arrived;
 * then the film's simulations stand at that frame too. STATUS_STOPPED after *stop. */
enum status scout_go(struct scout *scout, uint64_t frame, double seconds,
                     volatile sig_atomic_t *stop, bool *there);

#endif
