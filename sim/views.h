/* One frame of several simulations: a view of each, linked in a list. Used by one thread at a time.
 */
#pragma once

#include "sim/simulation.h"

/* On failure *out holds the views made so far: destroy it in every case. */
enum status views_create(struct simulation *const *simulations, int count, struct view **out);
void views_destroy(struct simulation *const *simulations, struct view **views); /* accepts NULL */

/* Fills the views with the present states of the simulations. */
enum status views_fill(struct simulation *const *simulations, struct view *views);
