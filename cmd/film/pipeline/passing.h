/* Simulates a film and passes the view of each frame to an output that takes no pictures: a page or
 * a file of points. Collective: rank 0 has all bodies, and is the only one with a renderer. */
#pragma once

#include "cmd/film/pipeline/pipeline.h"
#include "scenes/scene.h"

/* STATUS_USAGE if the scene has an option that is only for pictures, or if several ranks share the
 * bodies of snapshots (`played`). `what` names the output in messages: "a page". */
enum status pass_check(const struct scene *scene, bool played, const char *what);

struct passing {
    /* Takes the view of every frame from 0 to params->last, on the rank with a renderer, which is
     * bound. A failure ends the run. */
    enum status (*take)(void *user, const struct view *view);
    /* Ends the output after the last frame or a stop, with the renderer unbound. */
    enum status (*finish)(void *user);
    void *user;
};

/* Uses the members of params up to `renderer`, and tick, tick_user, first, last and stop.
 * STATUS_STOPPED after a stop. Always fills *progress, except for `bytes`. */
enum status pass_views(const struct pipeline_params *params, const struct passing *passing,
                       struct pipeline_progress *progress);
