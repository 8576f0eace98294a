/* The moving centres that a camera's target can follow. A centre is a function of one view alone,
 * so that a frame is the same wherever a film is started. It is a smooth function of the bodies'
 * positions, so that the picture does not shake. All centres are taken from the view's sample
 * (sim/view.h), which always holds the same bodies.
 *
 *     mass: the centre of mass of the bodies that are drawn.
 *
 *     GALAXY, GALAXY/COMPONENT: the core of its drawn bodies (of all its bodies if none is drawn).
 *   It is the fixed
 *     point of c = sum w m x / sum w m with w = (1 - r^2 / R^2)^2 for r = |x - c| < R, R being 1.5
 *     times the part's radius (mean shift: K. Fukunaga and L. D. Hostetler, IEEE Trans. Inf. Theory
 *     21:32, 1975): wide enough to be steady where two galaxies pass through each other. A fixed
 *     number of shifts, over-relaxed, starts at the centre of mass with R twice the root mean
 *   square
 *     distance and then shrinks R, so that stripped bodies do not pull the core.
 *
 *     densest: the mean of all galaxies' cores, each weighted with the fourth power of the drawn
 *     bodies' density around it, sum w m with R twice the galaxies' mean radius (S. Casertano
 *     and P. Hut, ApJ 298:80, 1985, weight positions by density in the same way). Between two
 *     equally dense galaxies it lies halfway, and moves from one to the other instead of jumping.
 *
 *     body N: the body itself, which need not be in the sample.
 *
 *     A+B: the midpoint of two of these.
 *
 * Masses count by their absolute value; if all are 0, bodies count alike. */
#pragma once

#include "base/status.h"
#include "render/draw.h"
#include "sim/view.h"

/* Centres of a set of bodies in a view. Pure, thread-safe. */

struct camera_range {
    size_t first, count; /* of the view's bodies */
};

struct camera_cloud {
    size_t count;
    float x[VIEW_SAMPLE_MOST], y[VIEW_SAMPLE_MOST], z[VIEW_SAMPLE_MOST];
    float weight[VIEW_SAMPLE_MOST]; /* at least one is > 0, unless there are no bodies */
};

/* Collects the bodies of the view's sample that lie in the ranges, moved along their velocities by
 * a time of `ahead`. */
void camera_cloud_fill(struct camera_cloud *cloud, const struct view *view, double ahead,
                       const struct camera_range *ranges, int range_count);

/* 0, 0, 0 for a cloud without bodies. */
void camera_centre_of_mass(const struct camera_cloud *cloud, double centre[3]);
void camera_core(const struct camera_cloud *cloud, double radius, double centre[3]);

struct camera_follow_setup {
    const char *follow; /* as in camera_params; NULL: "" */
    const char *key;    /* for messages: "camera.follow"; NULL: the caller names the key */
    const struct camera_part *parts;
    int part_count;
    struct camera_bodies bodies;
};

struct camera_follow;

/* The numbers of the bodies that a text like camera.follow names, unless they are a part's name.
 * Returns how many. */
int camera_follow_bodies(const char *follow, uint64_t number[2]);

/* Whether a text like camera.follow names something that bodies->find finds. */
bool camera_follow_finds(const char *follow, const struct camera_bodies *bodies);

/* Sets *out to NULL if nothing is followed. Copies. STATUS_USAGE names the key if no part has the
 * name and no body the number, or if none of the part's bodies is in the sample. */
enum status camera_follow_open(struct camera_follow **out, const struct camera_follow_setup *setup);
void camera_follow_close(struct camera_follow **follow); /* accepts a pointer to NULL */

/* The radius of the part whose core is followed, see struct camera_part; 0: another centre. */
double camera_follow_radius(const struct camera_follow *follow);

/* The direction of the angular momentum of the bodies that camera.align names, of length 1: of a
 * part with a core about it, each body weighted with (1 - r^2 / R^2)^2 within R, three times its
 * radius, so that stripped bodies do not turn it; of others about their centre of mass. As a sum
 * over the same bodies in every view it changes smoothly. 0, 0, 1 where nothing turns. */
void camera_follow_axis(const struct camera_follow *follow, const struct view *view,
                        double axis[3]);

/* STATUS_USAGE, naming the key: what is named has no angular momentum of its own. */
enum status camera_follow_check_axis(const struct camera_follow *follow, const char *key);

/* 0, 0, 0 for NULL. Bodies are moved along their velocities by a time of `ahead`. Takes less than a
 * millisecond. */
void camera_follow_centre(const struct camera_follow *follow, const struct view *view, double ahead,
                          double centre[3]);
