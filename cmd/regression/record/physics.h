/* Records a film's bodies at one frame. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/regression/record/record.h"

/* Fills in time, hash and sketch of the frame that the simulations have reached and, with
 * `diagnostics`, energies and half-mass radii. `known` may be a record of that frame, or NULL: if
 * its state is the same, what follows from the state is copied from it. */
enum status physics_record(const struct film *film, bool diagnostics,
                           const struct frame_record *known, struct frame_record *frame);

/* Records which panels show the simulations after the first. */
void physics_describe(const struct film *film, struct record *record);
