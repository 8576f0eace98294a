/* The columns of the bodies that pictures show, among them the one of the colour mode quantity. */
#pragma once

#include "render/renderer.h"
#include "scenes/scene.h"
#include "sim/bodies/bodies.h"
#include "sim/simulation.h"

/* The scene's bodies with those columns of the file that its pictures need; see
 * sim/models/models.h. STATUS_USAGE names the existing columns. */
enum status quantity_bodies(const struct scene *scene, enum division division, struct bodies **out);

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

/* Request for a column of views: COLUMN_QUANTITY, which refers to `quantity`, COLUMN_AGE from the
 * column age, if the bodies have it in Gyr, COLUMN_KERNEL, if they have kernels, or one that the
 * simulation makes. */
struct column_ask quantity_ask(const struct quantity *quantity, const struct bodies *bodies,
                               const char *name);

/* Gives the range to the renderer. */
void quantity_give(const struct quantity *quantity, struct renderer_params *params);

/* The kernels of bodies of gas, by which look.size kernel draws them. */

/* Both are collective for shared bodies (sim/bodies/bodies_whole.h).
 *
 * Whether any drawn body has a kernel. */
enum status kernel_drawn(const struct bodies *bodies, bool *out);

/* STATUS_USAGE if look.size, as chosen for the film, is kernel and no drawn body has one. */
enum status kernel_check(const struct scene *scene, const struct look_params *chosen,
                         const struct bodies *bodies);
