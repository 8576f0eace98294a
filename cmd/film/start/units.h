/* The units of a scene whose bodies come from a file. */
#pragma once

#include "scenes/scene.h"

/* Fills in the units that the scene leaves out, from those of its file if these are known, so that
 * the printed scene states the units in use; logs them. Call it before the bodies are made. A pipe,
 * or a file that cannot be read yet, changes nothing. */
void film_take_units(struct scene *scene);

/* Warns of contradictory units: with G = 1, two of length, time, velocity and mass determine the
 * others. */
void film_check_units(const struct scene *scene);
