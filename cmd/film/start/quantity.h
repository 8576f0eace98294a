/* The column of the bodies that colours them, by the colour mode quantity. */
#ifndef CMD_FILM_START_QUANTITY_H
#define CMD_FILM_START_QUANTITY_H

#include "render/renderer.h"
#include "scenes/scene.h"
#include "sim/simulation.h"

/* The scene's bodies with the columns that its pictures need, of those that a file may have; see
 * sim/models/make.h. STATUS_USAGE names the columns that there are. */
enum status quantity_bodies(const struct scene *scene, struct bodies **out);

/* Whether the bodies have the column that the scene's pictures need. STATUS_USAGE as above. */
enum status quantity_check(const struct scene *scene, const struct bodies *bodies);

/* All zero: no picture needs it. */
struct quantity {
    const char *name; /* of the column, the scene's */
    const struct quantity_scale *scale;
    double from, to;  /* numbers at the ends of the map */
    const char *unit; /* the bodies' */
};

/* Finds it in the bodies, its range in their drawn ones at the start, or of snapshots over the
 * film. STATUS_USAGE where they do not have it, or no drawn body has a number that the scale has a
 * place for; STATUS_RUNTIME when memory is short. */
enum status quantity_find(struct quantity *out, const struct scene *scene,
                          const struct bodies *bodies);

/* COLUMN_QUANTITY of views: refers to `quantity`. */
struct column_ask quantity_ask(const struct quantity *quantity);

/* The column age, for COLUMN_AGE of views, where the bodies have it in Gyr. */
struct column_ask quantity_ask_age(const struct bodies *bodies);

/* Hands the found range to the renderer. */
void quantity_give(const struct quantity *quantity, struct renderer_params *params);

#endif
