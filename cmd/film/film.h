/* Everything that one run needs, opened from a scene: bodies, simulations, renderer. */
#ifndef CMD_FILM_FILM_H
#define CMD_FILM_FILM_H

#include "cmd/film/script.h"
#include "render/renderer.h"
#include "render/sink/sink.h"
#include "scenes/scene.h"
#include "sim/simulation.h"

struct film {
    const struct scene *scene;                  /* not owned */
    struct bodies *bodies;                      /* as they stand at the start */
    struct simulation *simulations[PANELS_MAX]; /* one for all panels of the same physics */
    int simulation_count;                       /* the first panel shows the first one */
    struct script script;                       /* when things happen */
    struct renderer *renderer;
};

/* Makes the bodies and opens the simulations and the renderer for pictures of `format`. On failure
 * everything is closed again. */
enum status film_open(struct film *film, const struct scene *scene, const char *backend, int device,
                      enum picture_format format);

/* Draws tiles of the scene's picture instead, see renderer_set_tile. */
struct film_tile {
    uint32_t width, height;
};
enum status film_open_tiled(struct film *film, const struct scene *scene, const char *backend,
                            int device, enum picture_format format, const struct film_tile *tile);
void film_close(struct film *film);

/* STATUS_IO, saying where it was looked for, when the scene called `name` wants a bodies file that
 * is in none of those places. */
enum status film_find_bodies(const struct scene *scene, const char *name);

/* The distance from the target within which `fraction` of the drawn bodies lie, and the speed that
 * `fraction` of them do not exceed. For what a scene leaves to be found out. */
double film_radius(const struct bodies *bodies, const double target[3], double fraction);
double film_speed(const struct bodies *bodies, double fraction);

#endif
