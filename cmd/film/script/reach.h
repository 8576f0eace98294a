/* Where the camera stays where it frames itself (camera.frame auto): found in a pilot run, in the
 * direction in which the film looks at each moment, for the picture's own shape.
 *
 * It frames light. Until galaxies have become one, the ellipse of 95 % of each galaxy's light
 * (ellipse.h) lies within 90 % of the picture's width and height and clear of the overlay's lines
 * (overlay/layout.h); until two are at 0.6 of their first distance, that of 99.5 %, half as large
 * again, lies within the picture, so that no disk is cut. After that, and where no galaxies are
 * named, this holds of the ellipse of camera.fraction of all light; where none are named nearly all
 * of it is there at frame 0. Galaxies have become one when the cores of any two (galaxy_core.h) are
 * nearer than the sum of their radii and stay so.
 *
 * Where the camera follows all mass and shows it in one flat picture, that is moved so that as much
 * room is left on either side. The distance changes by REACH_PACE a second of the film at most, so
 * that the camera has gone away before it has to. For many bodies the pilot run has as many of its
 * own, so that the framing does not depend on their number. */
#ifndef CMD_FILM_SCRIPT_REACH_H
#define CMD_FILM_SCRIPT_REACH_H

#include "cmd/film/script/moments.h"
#include "render/found.h"
#include "scenes/scene.h"

#define REACH_PACE    0.42 /* of the distance, per second of the film */
#define REACH_TURNS   8    /* or so often in a shorter film */
#define REACH_WINDOW  1    /* seconds over which it eases in and out, */
#define REACH_WINDOWS 25   /* or so many in a shorter film */

/* With the picture moved by `shift` from the target the camera has to be at `distance`, for what is
 * to the sides and for what is above and below, and for each length by which it is moved otherwise
 * 1 / tangent lengths farther away, as the rays at the edges have it. */
struct reach_need {
    double distance[2], shift[2], tangent[2];
};

/* Until two galaxies are near; until they are nearest; until galaxies are one; from then on. */
enum reach_stage { REACH_WHOLE, REACH_PASSAGE, REACH_APART, REACH_ONE, REACH_STAGES };

struct reach_moment {
    struct reach_need need[REACH_STAGES]; /* what it would need in each stage */
    enum reach_stage stage;               /* its own, known at the end */
    double nearest, farthest;             /* two cores, in sums of their radii */
};

/* For pilot_params.see. Begins with the first five fields. */
struct reach {
    const struct scene *scene;
    const struct bodies *bodies;     /* at frame 0, that the pilot run takes its own from */
    bool stand_ins;                  /* see struct pilot_params */
    const struct frame_clock *clock; /* of the film */
    struct camera_found found;       /* when the moves are */
    struct reach_eyes *eyes;         /* for the pilot run's bodies, when they are first seen */
    struct reach_moment *moment;     /* [count], of the samples so far */
    size_t count;
    double interval;            /* from sample to sample, known at the end */
    struct reach_moment *still; /* [frames], of those from which on time stands still; else NULL */
};

/* Whether the scene's camera frames itself; a distance or keyframes would say where it is. */
bool reach_is_needed(const struct scene *scene);

/* `user` is a struct reach. Of the moves only those that turn the camera count. */
enum status reach_see(void *user, const struct bodies *bodies, const struct view *view,
                      double time);
void reach_end(struct reach *reach);

/* Ends the run, whose samples are `interval` apart: finds in which stage each is. */
void reach_settle(struct reach *reach, double interval);

/* What has been seen, for each frame. The shift is averaged over a window before and after with a
 * weight that is twice continuously differentiable, (1 - u^2)^3. The logarithm of the distance is
 * at least what that shift needs at that frame, and as much less as the pace allows beside it, with
 * peaks rounded off to parabolas that reach the pace after a window; this is averaged likewise, and
 * raised smoothly where the average takes something from such a peak. Never less than what is
 * needed, smooth, and in a valley with the pace on both sides hardly more than is needed. [frames];
 * free() frees it. */
struct camera_framing *reach_smooth(const struct reach *reach, const struct moment_scale *scale);

#endif
