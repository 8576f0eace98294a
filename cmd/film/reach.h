/* Where the camera stays where it frames itself (camera.frame auto): found in a pilot run, in the
 * direction in which the film looks at each moment, for the picture's own shape.
 *
 * Within the picture, without the overlay's margins and lines at its edges (overlay/layout.h), are
 * camera.fraction of the drawn mass and every galaxy that is drawn: a sphere about its core, as
 * large as its extent at the start (galaxy_core.h); where no galaxies are named, nearly all of the
 * drawn mass at frame 0. Where the camera follows all mass and shows it
 * in one flat picture, that is moved so that as much room is left on either side. The distance
 * changes by REACH_PACE a second of the film at most, so that the camera has gone away before it
 * has to. */
#ifndef CMD_FILM_REACH_H
#define CMD_FILM_REACH_H

#include "cmd/film/moments.h"
#include "render/found.h"
#include "scenes/scene.h"

#define REACH_PACE 0.1 /* of the distance, per second of the film */

/* What one moment needs: with the picture moved by `shift` from the target the camera has to be at
 * `distance`, > 0, and for each length by which it is moved otherwise 1 / tangent lengths farther
 * away, as the rays at the edges have it. */
struct reach_need {
    double distance, shift[2], tangent[2];
};

/* For pilot_params.see. Begins with the first four fields. */
struct reach {
    const struct scene *scene;
    const struct bodies *bodies;     /* the film's, at frame 0 */
    const struct frame_clock *clock; /* of the film */
    struct camera_found found;       /* when the moves are */
    struct reach_eyes *eyes;         /* for the pilot run's bodies, when they are first seen */
    struct reach_need *need;         /* [count], of the samples so far */
    size_t count;
    struct reach_need *still; /* [frames], of those from which on time stands still; else NULL */
};

/* Whether the scene's camera frames itself; a distance or keyframes would say where it is. */
bool reach_is_needed(const struct scene *scene);

/* `user` is a struct reach. Of the moves only those that turn the camera count. */
enum status reach_see(void *user, const struct bodies *bodies, const struct view *view,
                      double time);
void reach_end(struct reach *reach);

/* need[k] is at time k * interval, k < count. */
struct reach_track {
    size_t count;
    double interval;
    const struct reach_need *need;
    const struct reach_need *still; /* of frames, once time stands still; NULL: it never does */
    bool loops;                     /* the first frame follows the last one */
};

/* The track for each frame. The shift is averaged over a second before and after with a weight that
 * is twice continuously differentiable, (1 - u^2)^3. The distance is at least what that shift needs
 * at that frame, and where the pace asks for it what later and earlier frames need; then the
 * largest within a second, averaged likewise over a second. Never less than what is needed, and
 * smooth. [frames]; free() frees it. */
struct camera_framing *reach_smooth(const struct reach_track *track,
                                    const struct moment_scale *scale);

#endif
