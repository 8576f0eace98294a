/* One frame of several simulations at once: a view of each, the first leading to the next. Used by
 * one thread at a time. */
#pragma once

#include "sim/simulation.h"

/* On failure *out holds those made so far: destroy it in every case. */
enum status views_create(struct simulation *const *simulations, int count, struct view **out);
void views_destroy(struct simulation *const *simulations, struct view **views); /* NULL is fine */

/* With the present states of the simulations. */
enum status views_fill(struct simulation *const *simulations, struct view *views);
