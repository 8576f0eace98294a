/* The motion that the page shows: the scene is simulated in the background, first with few bodies,
 * then with all of them, and what is done can be looked at while the rest is made. A scene whose
 * bodies move otherwise starts it again; one that only looks otherwise does not. Thread-safe. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/scene/request.h"

#include <stdint.h>

/* What the command line says. */
struct view_source {
    const struct scene_request *request;
    const char *backend;
    int device;
};

/* Opens the scene of the command line with the page's settings. */
enum status view_scene(const struct view_source *source, const struct setting *settings, int count,
                       struct scene **out);

struct motion;

void motion_open(struct motion **out, const struct view_source *source);
void motion_close(struct motion **motion); /* ends the simulation; accepts a pointer to NULL */

enum motion_stage { MOTION_START, MOTION_PILOT, MOTION_FULL };

struct motion_state {
    enum motion_stage stage;    /* what the frames belong to */
    size_t bodies;              /* simulated */
    uint64_t count, frames;     /* that can be looked at, of the film's */
    bool running;               /* more will follow */
    char sentence[STATUS_TEXT_MAX]; /* why no more will follow; "": no failure */
};

/* Makes the scene the one that is simulated. */
enum status motion_follow(struct motion *motion, const struct scene *scene);
void motion_state(struct motion *motion, struct motion_state *out);
