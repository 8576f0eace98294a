/* The column of the bodies that colours them, by the colour mode quantity. */
#ifndef CMD_FILM_QUANTITY_H
#define CMD_FILM_QUANTITY_H

#include "render/renderer.h"
#include "scenes/scene.h"
#include "sim/bodies/bodies.h"

/* The scene's bodies with the columns that its pictures need, if any; see sim/models/make.h.
 * STATUS_USAGE names the columns that there are. */
enum status quantity_bodies(const struct scene *scene, struct bodies **out);

/* Whether the bodies have the column that the scene's pictures need. STATUS_USAGE as above. */
enum status quantity_check(const struct scene *scene, const struct bodies *bodies);

/* All zero: no picture needs it. */
struct quantity {
    float *place;     /* as renderer_params.quantity */
    double from, to;  /* numbers at the ends of the map */
    const char *unit; /* the bodies' */
};

/* Finds it in the bodies at the start. STATUS_USAGE where they do not have it, or no drawn body has
 * a number that the scale has a place for; STATUS_RUNTIME when memory is short. */
enum status quantity_find(struct quantity *out, const struct scene *scene,
                          const struct bodies *bodies);
void quantity_free(struct quantity *quantity); /* accepts one all zero */

/* The renderer's parameters take it; they do not own it. */
void quantity_give(const struct quantity *quantity, struct renderer_params *params);

#endif
