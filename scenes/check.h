/* Whether a scene makes sense as a whole. */
#pragma once

#include "scenes/scene.h"

/* Checks all ranges and what depends on more than one key; lists two galaxies where model galaxies
 * is given none, and tells the model the softening that it makes bodies for. May be called again
 * after a change. STATUS_USAGE. */
enum status scene_validate(struct scene *scene);
