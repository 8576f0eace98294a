/* Passes the views of a film's frames on, one after the other, to those who draw no pictures: pages
 * and files of points. On ranks, all call it, with simulations whose bodies rank 0 has; rank 0
 * alone has a renderer. */
#pragma once

#include "cmd/film/pipeline/pipeline.h"
#include "scenes/scene.h"

/* STATUS_USAGE naming an option that is for films, or if ranks share the bodies of snapshots, which
 * are `played`. `what` makes no pictures, such as "a page". */
enum status pass_check(const struct scene *scene, bool played, const char *what);

struct passing {
    /* Called with the view of every frame from 0 to params->last, where there is a renderer, which
     * is bound. A failure ends the run. */
    enum status (*take)(void *user, const struct view *view);
    /* Called after the last frame, also after a stop; the renderer is no longer bound. */
    enum status (*finish)(void *user);
    void *user;
};

/* Reads the members of params up to `renderer`, and tick, first, last and stop. STATUS_STOPPED
 * after a stop. *progress is filled in every case, but for the bytes. */
enum status pass_views(const struct pipeline_params *params, const struct passing *passing,
                       struct pipeline_progress *progress);
