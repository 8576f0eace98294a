/* The column by which the colour mode quantity colours bodies. */
#pragma once

#include "render/renderer.h"
#include "scenes/scene.h"
#include "sim/simulation.h"

/* The scene's bodies with those columns of the file that its pictures need; see sim/models/make.h.
 * STATUS_USAGE names the existing columns. */
enum status quantity_bodies(const struct scene *scene, struct bodies **out);

/* Whether the bodies have the column that the scene's pictures need. STATUS_USAGE as above. */
enum status quantity_check(const struct scene *scene, const struct bodies *bodies);

/* All zero: no picture needs it. */
struct quantity {
    const char *name; /* of the column, as in the scene */
    const struct quantity_scale *scale;
    double from, to;  /* values at the ends of the map */
    const char *unit; /* the bodies' */
};

/* Finds it in the bodies, and its range from the drawn ones at the start, or over the film for
 * snapshots. STATUS_USAGE if they lack it, or no drawn body has a value within the scale;
 * STATUS_RUNTIME when out of memory. */
enum status quantity_find(struct quantity *out, const struct scene *scene,
                          const struct bodies *bodies);

/* Request for COLUMN_QUANTITY in views; refers to `quantity`. */
struct column_ask quantity_ask(const struct quantity *quantity);

/* Request for COLUMN_AGE in views, from the column age, if the bodies have it in Gyr. */
struct column_ask quantity_ask_age(const struct bodies *bodies);

/* Gives the range to the renderer. */
void quantity_give(const struct quantity *quantity, struct renderer_params *params);
