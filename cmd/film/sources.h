/* What a scene's panels ask of a film: simulations of their own, and tints of their own. */
#ifndef CMD_FILM_SOURCES_H
#define CMD_FILM_SOURCES_H

#include "render/renderer.h"
#include "scenes/scene.h"
#include "sim/bodies/bodies.h"

/* The simulations that differ, in the order of the panels that show them first; one without panels.
 */
struct film_sources {
    int count;
    struct simulation_params params[PANELS_MAX]; /* strings and lists are the scene's */
    int panel[PANELS_MAX];                       /* the source of each panel */
};
void film_sources(const struct scene *scene, struct film_sources *out);

/* How many pictures are drawn beside each other, and the colour mode of each; without panels there
 * is one. */
int film_picture_count(const struct look_params *look);
const struct colour *film_picture_color(const struct look_params *look, int picture);

/* Groups of bodies that are drawn alike, with the tints of each picture's colours. */
struct film_groups {
    struct draw_group *list[PANELS_MAX]; /* [count] each; NULL past the pictures */
    int count;
};
void film_groups_make(struct film_groups *out, const struct look_params *look,
                      const struct bodies *bodies);
void film_groups_free(struct film_groups *groups);

#endif
