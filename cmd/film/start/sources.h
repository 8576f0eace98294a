/* The simulations that a scene's panels need: panels may differ in force and softening. */
#pragma once

#include "render/draw.h"
#include "scenes/scene.h"

/* The distinct simulations, in the order of the panels that first show them; one if there are no
 * panels. */
struct film_sources {
    int count;
    struct simulation_params params[PANELS_MAX]; /* strings and lists belong to the scene */
    int panel[PANELS_MAX];                       /* the source of each panel */
};
/* The bodies whose snapshots give the motion; NULL: the scene is simulated. */
const struct bodies_params *film_played(const struct scene *scene);

void film_sources(const struct scene *scene, struct film_sources *out);
