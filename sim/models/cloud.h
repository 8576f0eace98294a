/* What the models of one cloud of bodies share: one component of bodies of equal mass, in N-body
 * units, with the virial ratio that the scene asks for. */
#pragma once

#include "sim/bodies/bodies.h"
#include "sim/params.h"

/* params->count bodies of mass 1 together in one component of that name, all else zero.
 * STATUS_USAGE without a count, STATUS_RUNTIME when they do not fit in memory. */
enum status cloud_create(const struct bodies_params *params, const char *name, struct bodies **out);

/* Centres them, at rest on the whole, and scales the velocities to the scene's virial ratio 2T /
 * |W| for a potential energy of -1/2, or to `usual`; where both are 0 they stay as they are. */
void cloud_settle(const struct bodies_params *params, double usual, struct bodies *bodies);
