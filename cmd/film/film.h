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
    char *plan;                                 /* with a renderer: its plan, see script/plan.h */
    struct quantity quantity;                   /* that colours the bodies */
    bool kernels;                               /* a drawn body has a kernel, see start/kernel.h */
    struct film_share *share;                   /* with other ranks, see open.h; NULL: alone */
    struct light_sum sum;                       /* with other ranks */
    struct renderer *renderer;
};

/* How the pictures differ from the film's frames. */
struct film_tile {
    uint32_t width, height;
};
struct film_picture {
    struct film_tile tile;  /* part of the picture, see renderer_set_tile; 0 x 0: all of it */
    bool unfaded;           /* without look.fade_in, look.fade_out and overlay.card_covers */
    const int *draw_device; /* the CUDA device that draws; NULL: the one that simulates */
    struct loop_range loop; /* see script_open */
    const char *whole; /* what needs all simulated bodies on rank 0, for a message; NULL: nothing */
    const char *plan;  /* the film's, as text (script/plan.h); NULL: it is made */
};

/* Opens the bodies (unless they are given), script, simulations and renderer of a film in which the
 * members up to `bodies`, and `sum`, are set; in a task of all ranks, with this rank's share of the
 * bodies. On failure everything is closed again. Other callers use open.h. */
enum status film_make(struct film *film, enum picture_format format,
                      const struct film_picture *how);
void film_free(struct film *film);

/* Does the same as film_open (open.h), with the given bodies in place of the scene's. The film
 * takes them over, also on failure. */
enum status film_open_from(struct film *film, const struct scene *scene, const char *backend,
                           int device, enum picture_format format, struct bodies *bodies);

/* Without a renderer, for physics alone. Bodies as for film_open_from, or NULL. */
enum status film_open_simulations(struct film *film, const struct scene *scene, const char *backend,
                                  int device, struct bodies *bodies);
/* The same with only the first simulation. */
enum status film_open_physics(struct film *film, const struct scene *scene, const char *backend,
                              int device, struct bodies *bodies);

/* STATUS_IO, listing the places searched, if the bodies file of the scene called `name` cannot be
 * found. */
enum status film_find_bodies(const struct scene *scene, const char *name);
