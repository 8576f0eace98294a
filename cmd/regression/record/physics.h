/* What a record holds of a film's bodies at one frame. */
#ifndef CMD_REGRESSION_RECORD_PHYSICS_H
#define CMD_REGRESSION_RECORD_PHYSICS_H

#include "cmd/film/film.h"
#include "cmd/regression/record/record.h"

/* Fills in time, hash and sketch of the frame that the simulations have reached, and, with
 * `diagnostics`, energies and half-mass radii. `known` may be a record of that frame: what follows
 * from its state is taken over where this one is the same; or NULL. */
enum status physics_record(const struct film *film, bool diagnostics,
                           const struct frame_record *known, struct frame_record *frame);

/* Names the panels that show the simulations after the first. */
void physics_describe(const struct film *film, struct record *record);

#endif
