/* The motion that the page shows: the scene is simulated in the background, first with few bodies,
 * then with all of them, and what is done can be looked at while the rest is made. A scene whose
 * bodies move otherwise starts it again; one that only looks otherwise does not. Thread-safe. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/scene/request.h"
#include "sim/pilot/pilot.h"

#include <stdatomic.h>
#include <stdint.h>

/* The scene and the device that the command line names. */
struct view_source {
    const struct scene_request *request;
    const char *backend;
    int device;
};

/* Opens the scene of the command line with the page's settings. STATUS_USAGE also for one that its
 * run does not show. The caller closes *out in every case. */
enum status view_scene(const struct view_source *source, const struct setting *settings, int count,
                       struct scene **out);

/* Opens a film on one of several threads: one at a time where files of bodies are read, because a
 * process that reads HDF5 is forked, and would wait for locks that another thread holds while it
 * loads a GL driver. */
enum status view_open_film(struct film *film, const struct film_options *options);

/* The scene as text, with the shape of its picture instead of the size. The caller frees it. */
char *view_shape(struct scene *scene);

struct motion;

void motion_open(struct motion **out, const struct view_source *source);
void motion_end(struct motion *motion);    /* asks the simulation to end */
void motion_close(struct motion **motion); /* ends the simulation; accepts a pointer to NULL */

enum motion_stage { MOTION_START, MOTION_PILOT, MOTION_FULL };

/* A run that is being recorded, or is complete. It lasts as long as somebody holds it, and whoever
 * does reads it. */
struct recorded {
    atomic_int holders;
    enum motion_stage stage;
    struct run *run;
    bool given;          /* by the command line, which closes it */
    char *plan, *shape;  /* of the scene that was simulated (script/plan.h); view_shape of it */
    struct scene *scene; /* which is this one */
};

struct motion_state {
    enum motion_stage stage;        /* what the frames belong to */
    size_t bodies;                  /* simulated */
    uint64_t count, frames;         /* that can be looked at, of the film's */
    bool running;                   /* more will follow */
    bool met;                       /* the run is complete, and these are the events of its first */
    struct encounter events;        /* two galaxies, at frames; see pilot_encounter */
    char sentence[STATUS_TEXT_MAX]; /* why no more will follow; "": no failure */
};

/* Makes the scene the one that is simulated. */
enum status motion_follow(struct motion *motion, const struct scene *scene);
void motion_state(struct motion *motion, struct motion_state *out);

/* What shows the frame: the full run if it has come so far, else the pilot, else NULL: nothing is
 * known but the start. Where neither has the frame, the last one that there is becomes *frame.
 * `whole`: the pilot, which has other bodies, will not do. The caller releases what it gets. */
struct recorded *motion_hold(struct motion *motion, bool whole, uint64_t *frame);
void recorded_release(struct recorded **recorded);         /* accepts a pointer to NULL */
struct recorded *recorded_keep(struct recorded *recorded); /* one holder more; accepts NULL */
/* Makes a scene of this motion one that its run can show: a pilot has fewer bodies. */
void recorded_adapt(const struct recorded *recorded, struct scene *scene);
