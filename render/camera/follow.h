/* What a camera's target moves with. A centre is a function of one view alone, without memory of
 * those before it, so that a frame is the same wherever a film is started; and a smooth
 * function of the bodies' places, so that the picture does not shake. All are taken from the view's
 * sample (sim/view.h): always the same bodies.
 *
 *   mass: the centre of mass of the bodies that are drawn.
 *
 *   GALAXY, GALAXY/COMPONENT: the core of its drawn bodies (of all, where none is). It is the fixed
 *   point of c = sum w m x / sum w m with w = (1 - r^2 / R^2)^2 for r = |x - c| < R, R being 1.5
 *   times the part's radius (mean shift: K. Fukunaga and L. D. Hostetler, IEEE Trans. Inf. Theory
 *   21:32, 1975): wide enough to be steady where two galaxies pass through each other. A fixed
 *   number of shifts, over-relaxed, begins at the centre of mass with twice the root mean square
 *   distance for R and shrinks it on the way: what is torn off does not pull the core.
 *
 *   densest: the mean of all galaxies' cores, each weighted with the fourth power of the drawn
 *   bodies' density around it, sum w m with twice the galaxies' mean radius for R (as S. Casertano
 *   and P. Hut, ApJ 298:80, 1985, weight places with densities). Where two are as dense as each
 *   other it lies between them, and moves from one to the other instead of jumping.
 *
 *   A+B: the midpoint of two of these.
 *
 * Masses count by their size; where all are 0, bodies count alike. */
#ifndef RENDER_CAMERA_FOLLOW_H
#define RENDER_CAMERA_FOLLOW_H

#include "base/status.h"
#include "render/draw.h"
#include "sim/view.h"

struct camera_follow_setup {
    const char *follow; /* as in camera_params; NULL: "" */
    const char *key;    /* that gave it, for messages: "camera.follow" */
    const struct camera_part *parts;
    int part_count;
};

struct camera_follow;

/* Leaves NULL where nothing is followed. Copies. STATUS_USAGE names the key where no part has the
 * name, or none of the part's bodies is in the sample. */
enum status camera_follow_open(struct camera_follow **out, const struct camera_follow_setup *setup);
void camera_follow_close(struct camera_follow **follow); /* accepts a pointer to NULL */

/* 0, 0, 0 for NULL; of bodies moved on along their velocities by a time of `ahead`. Takes less than
 * a millisecond. */
void camera_follow_centre(const struct camera_follow *follow, const struct view *view, double ahead,
                          double centre[3]);

#endif
