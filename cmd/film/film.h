/* An open scene: its bodies, simulations and renderer, at frame 0 and ready to run. */
#pragma once

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
    struct simulation *simulations[PANELS_MAX]; /* one for all panels with the same physics */
    int simulation_count;                       /* the first panel shows the first one */
    struct script script;                       /* when things happen */
    struct quantity quantity;                   /* that colours the bodies */
    bool kernels;                               /* a drawn body has a kernel, see start/kernel.h */
    struct shared *shared;                      /* with other ranks, see shared.h; NULL: no */
    struct renderer *renderer;
};

/* Makes the bodies, and opens the simulations and the renderer for pictures of `format`. On failure
 * everything is closed again. */
enum status film_open(struct film *film, const struct scene *scene, const char *backend, int device,
                      enum picture_format format);

/* The same with the given bodies in place of the scene's. The film takes them over, also on
 * failure. */
enum status film_open_from(struct film *film, const struct scene *scene, const char *backend,
                           int device, enum picture_format format, struct bodies *bodies);

/* Without a renderer, for physics alone. Bodies as for film_open_from, or NULL. */
enum status film_open_simulations(struct film *film, const struct scene *scene, const char *backend,
                                  int device, struct bodies *bodies);
/* The same with only the first simulation. */
enum status film_open_physics(struct film *film, const struct scene *scene, const char *backend,
                              int device, struct bodies *bodies);

/* How single pictures differ from the film's frames. */
struct film_tile {
    uint32_t width, height;
};
struct film_picture {
    struct film_tile tile;  /* part of the picture, see renderer_set_tile; 0 x 0: all of it */
    bool unfaded;           /* without look.fade_in, look.fade_out and overlay.card_covers */
    const int *draw_device; /* the CUDA device that draws; NULL: the one that simulates */
};
enum status film_open_pictures(struct film *film, const struct scene *scene, const char *backend,
                               int device, enum picture_format format,
                               const struct film_picture *how);
/* The same on this rank alone or, in a task of all ranks, on each with its share of the bodies. The
 * film's scene, backend and device are set. */
enum status film_open_here(struct film *film, enum picture_format format,
                           const struct film_picture *how);
void film_close(struct film *film);

/* The frame of a moment within the film, with a fraction; see script_find. */
enum status film_find_moment(const struct film *film, const struct moment *moment, double *frame);

/* STATUS_IO, listing the places searched, if the bodies file of the scene called `name` cannot be
 * found. */
enum status film_find_bodies(const struct scene *scene, const char *name);
