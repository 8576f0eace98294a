/* The camera's distance for camera.frame auto, found in a pilot run for the film's viewing
 * direction at each moment and for the picture's aspect ratio.
 *
 * It frames light. Before galaxies merge, the ellipse of 95 % of each galaxy's light (ellipse.h)
 * stays within 90 % of the picture's width and height and clear of the overlay's lines
 * (overlay/layout.h). Until two galaxies are at 0.6 of their initial distance, the ellipse of 99.5
 * %, enlarged by 1.75, also stays within the picture, so that no disk is cut. At frame 0 nearly all
 * light of many bodies, with the stars around them, is within it. After the merger, and
 * if no galaxies are named, the same holds for the ellipse of camera.fraction of all light; if none
 * are named, nearly all light is in the picture at frame 0. Galaxies have merged when the cores of
 * any two (galaxy_core.h) stay closer than the sum of their radii.
 *
 * If the camera follows all mass in a single flat picture, the picture is shifted so that the edges
 * require the smallest distance, and from there, as far as the edges permit, towards equal margins
 * around 99 % of the light on either side. For that the camera backs off by up to 5 %, and uses the
 * room that the scene's zoom leaves. The distance changes by at most REACH_PACE per second of film,
 * so the camera backs off before it has to. Generated galaxies are represented by the same bodies
 * whatever the film's number, so that the framing does not depend on it. */
#pragma once

#include "cmd/film/script/moments.h"
#include "render/found.h"
#include "scenes/scene.h"

#define REACH_PACE    0.42 /* relative change of the distance, per second of film */
#define REACH_TURNS   8    /* or this over the whole of a shorter film */
#define REACH_WINDOW  1    /* seconds of easing in and out, */
#define REACH_WINDOWS 25   /* or the film's length over this, if shorter */

/* With the picture shifted by `shift` from the target, the camera must be at `distance`, given
 * separately for horizontal and vertical edges. For each length of a different shift it must be 1 /
 * tangent lengths farther away, by the rays at the edges. */
struct reach_need {
    double distance[2], shift[2], tangent[2];
    double off[2]; /* from `shift` to where the light is centred */
};

/* The phases: until two galaxies are close, until they are closest, until galaxies merge, and from
 * then on. */
enum reach_stage { REACH_WHOLE, REACH_PASSAGE, REACH_APART, REACH_ONE, REACH_STAGES };

struct reach_moment {
    struct reach_need need[REACH_STAGES]; /* its need in each stage */
    enum reach_stage stage;               /* its actual stage, known at the end */
    double nearest, farthest;             /* of two cores, in sums of their radii */
};

/* For pilot_params.see. The caller sets the first five fields. */
struct reach {
    const struct scene *scene;
    const struct bodies *bodies;     /* at frame 0, from which the pilot run takes its own */
    bool stand_ins;                  /* see struct pilot_params */
    const struct bodies *many;       /* more of them, at frame 0, for the edges of the opening shot;
                                      * NULL: none */
    const struct frame_clock *clock; /* of the film */
    struct camera_found found;       /* the times of moves */
    struct reach_eyes *eyes;         /* for the pilot run's bodies, set when they are first seen */
    struct reach_moment *moment;     /* [count], samples so far */
    size_t count;
    double interval;            /* between samples, known at the end */
    struct reach_moment *still; /* [frames], from the frame at which time stands still; else NULL */
};

/* Whether the scene's camera frames automatically; a given distance or keyframes exclude that. */
bool reach_is_needed(const struct scene *scene);

/* `user` is a struct reach. Only moves that turn the camera are considered. */
enum status reach_see(void *user, const struct bodies *bodies, const struct view *view,
                      double time);
void reach_end(struct reach *reach);

/* Ends the run, whose samples are `interval` apart, and finds each sample's stage. */
void reach_settle(struct reach *reach, double interval);

/* The framing of each frame, from the samples. The shift is averaged over a window before and
 * after, with the twice continuously differentiable weight (1 - u^2)^3. The logarithm of the
 * distance is at least what that shift requires at the frame; around larger values it falls by at
 * most the pace, with peaks rounded to parabolas that reach the pace after a window. It is averaged
 * likewise, and raised smoothly where averaging reduces such a peak. The result is never less than
 * required, smooth, and hardly more than required in a valley with the pace on both sides.
 * Frames of a loop have each other as neighbours: the film's if it loops, or those of `loop` (NULL:
 * none). [frames]; free() frees it. */
struct camera_framing *reach_smooth(const struct reach *reach, const struct moment_scale *scale,
                                    const struct loop_range *loop);

/* Where the light is, at up to FOUND_LIGHT_TIMES frames spread evenly over the film, with this
 * framing. None (times 0) with panels, around the whole sphere, and where time stands still. */
void reach_light(const struct reach *reach, const struct camera_framing *framing,
                 struct found_light *out);
