/* What of a film's bodies is drawn alike: the drawn components, with the tints of each picture. */
#ifndef CMD_FILM_GROUPS_H
#define CMD_FILM_GROUPS_H

#include "render/draw.h"
#include "sim/bodies/bodies.h"

/* The pictures' groups differ in their tints alone: by galaxy or by component, as the picture's
 * colour mode has it. */
struct film_groups {
    struct draw_group *list[PANELS_MAX]; /* [count] each; NULL past the pictures */
    int count;
};

/* Names are the bodies'. */
void film_groups_make(struct film_groups *out, const struct look_params *look,
                      const struct bodies *bodies);
void film_groups_free(struct film_groups *groups);

#endif
