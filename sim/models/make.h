/* The bodies of a scene. */
#pragma once

#include "sim/bodies/bodies.h"
#include "sim/params.h"

/* Makes the bodies that a scene asks for: the model or file, then the choice of components, then
 * the thinning to `count`, then the scale factors. STATUS_USAGE for invalid content or an invalid
 * request, STATUS_IO when a file cannot be read; the message names file and line, or the scene key.
 * Warns if the components left out have most of the mass. Collective with params->divide: each
 * rank makes or reads its share, except of a file with rows that are assigned to components or to
 * galaxies: rank 0 reads it, and deals the bodies. */
enum status bodies_make(const struct bodies_params *params, struct bodies **out);
