/* The simulations that a scene's panels need: panels may have other forces and softening. */
#ifndef CMD_FILM_START_SOURCES_H
#define CMD_FILM_START_SOURCES_H

#include "render/draw.h"
#include "scenes/scene.h"

/* The simulations that differ, in the order of the panels that show them first; one without panels.
 */
struct film_sources {
    int count;
    struct simulation_params params[PANELS_MAX]; /* strings and lists are the scene's */
    int panel[PANELS_MAX];                       /* the source of each panel */
};
/* The bodies whose snapshots say how they move; NULL: the scene is simulated. */
const struct bodies_params *film_played(const struct scene *scene);

void film_sources(const struct scene *scene, struct film_sources *out);

#endif
