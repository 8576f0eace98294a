/* The units of a scene whose bodies come from a file. */
#pragma once

#include "scenes/scene.h"

/* Fills in what the scene does not state of its units, from those of its file where that is known,
 * so that the scene that is printed says what was used; says so. Before the bodies are made. A file
 * that cannot be read as yet, or a pipe, changes nothing. */
void film_take_units(struct scene *scene);

/* Warns of units that contradict each other: with G = 1, two of length, time, velocity and mass
 * give the others. */
void film_check_units(const struct scene *scene);
