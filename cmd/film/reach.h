/* How far away the camera stays where it frames itself (camera.frame auto): found in a pilot run,
 * in the direction in which the film looks at each moment, for the picture's own shape.
 *
 * Within the picture, without the overlay's margins and lines at its edges (overlay/layout.h), are
 * camera.fraction of the drawn mass and the core of every galaxy that is drawn: a sphere of
 * 2.5 core radii (galaxy_core.h). The distance changes by REACH_PACE a second of the film at
 * most, so that the camera has gone away before it has to. */
#ifndef CMD_FILM_REACH_H
#define CMD_FILM_REACH_H

#include "cmd/film/moments.h"
#include "render/found.h"
#include "scenes/scene.h"

#define REACH_PACE 0.1 /* of the distance, per second of the film */

/* For pilot_params.see. Begins with the first three fields. */
struct reach {
    const struct scene *scene;
    const struct frame_clock *clock; /* of the film */
    struct camera_found found;       /* when the moves are */
    struct reach_eyes *eyes;         /* for the pilot run's bodies, when they are first seen */
    double *distance;                /* [count], of the samples so far */
    size_t count;
};

/* Whether the scene's camera frames itself; a distance or keyframes would say where it is. */
bool reach_is_needed(const struct scene *scene);

/* `user` is a struct reach. Of the moves only those that turn the camera count. */
enum status reach_see(void *user, const struct bodies *bodies, const struct view *view,
                      double time);
void reach_end(struct reach *reach);

/* distance[k], > 0, at time k * interval, k < count. */
struct reach_track {
    size_t count;
    double interval;
    const double *distance;
};

/* The track for each frame: at least what it is at that frame, and where the pace asks for it what
 * later and earlier frames need; then the largest within a second, averaged over that second before
 * and after with a weight that is twice continuously differentiable, (1 - u^2)^3. Never less than
 * the track itself, and smooth. [frames]; free() frees it. */
double *reach_smooth(const struct reach_track *track, const struct moment_scale *scale);

#endif
