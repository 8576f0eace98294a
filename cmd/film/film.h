/* A scene opened: its bodies, its simulations and its renderer, at frame 0 and ready to run. */
#ifndef CMD_FILM_FILM_H
#define CMD_FILM_FILM_H

#include "cmd/film/start/quantity.h"
#include "cmd/film/script/script.h"
#include "render/renderer.h"
#include "scenes/scene.h"
#include "sim/simulation.h"

struct film {
    const struct scene *scene;                  /* not owned */
    const char *backend;                        /* as for simulation_open; not owned */
    int device;                                 /* likewise */
    struct bodies *bodies;                      /* at frame 0 */
    struct simulation *simulations[PANELS_MAX]; /* one for all panels of the same physics */
    int simulation_count;                       /* the first panel shows the first one */
    struct script script;                       /* when things happen */
    struct quantity quantity;                   /* that colours the bodies */
    struct renderer *renderer;
};

/* Makes the bodies and opens the simulations and the renderer for pictures of `format`. On failure
 * everything is closed again. */
enum status film_open(struct film *film, const struct scene *scene, const char *backend, int device,
                      enum picture_format format);

/* The same from these bodies, which the film owns from now on, also after a failure, in place of
 * those that the scene makes. */
enum status film_open_from(struct film *film, const struct scene *scene, const char *backend,
                           int device, enum picture_format format, struct bodies *bodies);

/* Without a renderer: for physics alone. Bodies as for film_open_from, or NULL. */
enum status film_open_simulations(struct film *film, const struct scene *scene, const char *backend,
                                  int device, struct bodies *bodies);
/* The same of the first simulation only. */
enum status film_open_physics(struct film *film, const struct scene *scene, const char *backend,
                              int device, struct bodies *bodies);

/* Differences between single pictures and the film's frames. */
struct film_tile {
    uint32_t width, height;
};
struct film_picture {
    struct film_tile tile; /* part of the picture, see renderer_set_tile; 0 x 0: all of it */
    bool unfaded;          /* look.fade_in, look.fade_out and overlay.card_covers hide nothing */
};
enum status film_open_pictures(struct film *film, const struct scene *scene, const char *backend,
                               int device, enum picture_format format,
                               const struct film_picture *how);
void film_close(struct film *film);

/* The frame of a moment within the film, with a fraction; see script_find. */
enum status film_find_moment(const struct film *film, const struct moment *moment, double *frame);

/* STATUS_IO, saying where it was looked for, when the scene called `name` needs a bodies file that
 * is in none of those places. */
enum status film_find_bodies(const struct scene *scene, const char *name);

#endif
