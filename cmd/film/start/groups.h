/* What of a film's bodies is drawn alike: the drawn components, with the tints of each picture. */
#ifndef CMD_FILM_START_GROUPS_H
#define CMD_FILM_START_GROUPS_H

#include "base/status.h"
#include "render/draw.h"
#include "scenes/scene.h"
#include "sim/bodies/bodies.h"

/* The pictures' groups differ in their tints alone: by galaxy or by component, as the picture's
 * colour mode has it, in the colours of look.colors and, where that has none, of look.palette; and
 * in light where the mode is stars. */
struct film_groups {
    struct draw_group *list[PANELS_MAX]; /* [count] each; NULL past the pictures */
    int count;
};

/* Names are the bodies' or the scene's. STATUS_USAGE when look.colors names what is not there; a
 * warning for colours that no picture shows. Free it also after a failure. */
enum status film_groups_make(struct film_groups *out, const struct scene *scene,
                             const struct bodies *bodies);
/* The light of one body of a component in the look's colours, beside what look.weight says. */
double film_light(const struct component *component, const struct look_params *look);

void film_groups_free(struct film_groups *groups);

#endif
