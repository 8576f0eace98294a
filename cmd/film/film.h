/* An open scene: its bodies, simulations and renderer, at frame 0 and ready to run. */
#pragma once

#include "cmd/film/script/script.h"
#include "cmd/film/start/panels.h"
#include "cmd/film/start/quantity.h"
#include "cmd/film/start/tracking.h"
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
    struct film_watch watch;                    /* the bodies that cameras follow */
    struct halos *halos;                        /* of look.halos; NULL: none */
    bool kernels;                               /* a drawn body has a kernel, see kernel_drawn */
    bool gathered;                              /* rank 0 has all bodies of several ranks */
    struct light_sum sum;                       /* with other ranks */
    struct camera_part *parts;                  /* with a renderer: what camera.follow can name */
    struct tracking tracking;                   /* likewise: what has labels */
    struct universe_found universe;             /* of the bodies, see start/universe.h */
    struct renderer_params shown;               /* likewise, for film_aim; without groups */
    struct renderer *renderer;                  /* NULL: none, or rank 0 draws all bodies */
    struct panel_films *apart; /* of panels with scenes of their own, whose simulations these are;
                                * the bodies are the first one's, and the script, if no panel shows
                                * this scene, has only the first one's clock; NULL: none */
    const struct run *run;     /* see struct film_options */
    struct run_pilots *pilots, *own_pilots; /* the pilot runs made; with `records` its own */
};

struct film_tile {
    uint32_t width, height;
};

enum film_parts {
    FILM_PICTURES,
    FILM_SIMULATIONS, /* no renderer */
    FILM_PLAN,        /* no renderer either, but its plan */
};

struct film_options {
    const struct scene *scene; /* these four as in struct film */
    const char *backend;
    int device;
    struct bodies *bodies;      /* NULL: the scene's; taken over, also on failure */
    enum film_parts opens;      /* what follows but `plan` is for FILM_PICTURES */
    enum picture_format format; /* of the pictures */
    struct film_tile tile;      /* part of the picture, see renderer_set_tile; 0 x 0: all of it */
    bool unfaded;               /* without look.fade_in, look.fade_out and overlay.card_covers */
    const int *draw_device;     /* the CUDA device that draws; NULL: the one that simulates */
    struct loop_range loop;     /* see script_open */
    const char *whole; /* what needs all simulated bodies on rank 0, for a message; NULL: nothing */
    const char *plan;  /* the film's, as text (script/plan.h); NULL: it is made */
    bool near; /* the plan is that of a film with the same motion and moments that looks otherwise:
                * see plan_read_near */
    const struct run *run; /* has bodies and motion (sim/run/run.h); NULL: the scene's or, without
                            * one, they are simulated. Outlives the film. */
    struct run_pilots *pilots; /* NULL, or pilot runs of this motion: shown instead of made again;
                                * gets those that are made */
    bool records;              /* views get the columns that a run records (run/recording.h) */
};

/* Opens bodies, script, simulations and renderer. On failure everything is closed again.
 *
 * Collective on ranks, like closing it and everything that its simulations do. Each rank has a
 * share of the bodies and draws their light, and rank 0 makes the pictures from the sum. If `whole`
 * is set, rank 0 has and draws all bodies of a simulation, and says so. `plan` is rank 0's. */
enum status film_open(struct film *film, const struct film_options *options);
void film_close(struct film *film);

/* STATUS_USAGE, naming a key: the scene or one of its panels moves otherwise than the run, or has
 * more frames. */
enum status film_check_run(const struct scene *scene, const struct run *run);

/* Warns if bodies of one file in a comoving frame are about to be simulated, because they are
 * correct only at the start. */
void film_warn_of_frame(const struct scene *scene);

/* Sees the next pictures as another camera section says, without looking for an exposure that suits
 * it: for pictures that follow a hand. Views must be filled anew. The section has as many keyframes
 * and moves as the scene, whose moments stay; or no moves and one keyframe, at frame 0.
 * STATUS_USAGE for another one, and for what camera_open rejects; the camera is then the one
 * before. */
enum status film_aim(struct film *film, const struct camera_params *camera);

/* Panel i of panels with scenes of their own, as a film by itself; NULL: there is none. */
const struct film *film_panel(const struct film *film, int i);

/* Names panel i, from 0 on, in this thread's messages; -1: none. */
void film_name_panel(int i);

/* The frame of a moment within the film, with a fraction; see script_find. */
enum status film_find_moment(const struct film *film, const struct moment *moment, double *frame);

/* STATUS_IO, listing the places searched, if the bodies file of the scene called `name` cannot be
 * found. */
enum status film_find_bodies(const struct scene *scene, const char *name);
