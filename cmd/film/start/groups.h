/* Groups of a film's bodies that are drawn alike: the drawn components, with the tints of each
 * picture. */
#pragma once

#include "base/status.h"
#include "render/draw.h"
#include "scenes/scene.h"
#include "sim/bodies/bodies.h"

/* The pictures' groups differ in tints, by galaxy or by component depending on the picture's colour
 * mode, with colours from look.colors or else look.palette; and in light, for the mode stars. */
struct film_groups {
    struct draw_group *list[PANELS_MAX]; /* [count] each; NULL beyond the pictures */
    int count;
};

/* Names belong to the bodies or the scene. STATUS_USAGE when look.colors names something that does
 * not exist; a warning for colours that no picture shows. Free also after a failure. */
enum status film_groups_make(struct film_groups *out, const struct scene *scene,
                             const struct bodies *bodies);
/* The light of one body of a component in the look's colours, without look.weight. */
double film_light(const struct component *component, const struct look_params *look);

void film_groups_free(struct film_groups *groups);
