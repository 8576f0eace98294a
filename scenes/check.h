/* Whether a scene makes sense as a whole. */
#pragma once

#include "scenes/scene.h"

/* Checks all ranges and what depends on more than one key; adds two galaxies to a scene of the
 * model galaxies that lists none, and passes the softening to the model. May be called again after
 * a change. STATUS_USAGE. */
enum status scene_validate(struct scene *scene);
