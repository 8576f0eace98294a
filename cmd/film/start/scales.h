/* The scales of colours and sizes that a scene leaves out, found from the bodies at the start. All
 * panels share them, so that they can be compared. */
#pragma once

#include "render/renderer.h"
#include "scenes/scene.h"
#include "sim/view.h"

/* A film's bodies at frame 0, and measurements of them. Only drawn bodies count. Used by one thread
 * at a time. */

struct bodies;
struct simulation;

struct start {
    const struct bodies *bodies; /* not owned */
    struct view view;            /* of the bodies, in host memory, without velocities */
    double *lengths;             /* [count], working memory */
};

/* The bodies must outlive it. STATUS_RUNTIME when out of memory. Collective for shared bodies
 * (sim/bodies/bodies_whole.h), as are the measurements. */
enum status start_open(struct start *out, const struct bodies *bodies);
void start_close(struct start *start); /* accepts all zero */

/* The distance from `target` that contains `fraction` of the bodies, and the speed that `fraction`
 * of them do not exceed. 0 if none is drawn. */
enum status start_radius(struct start *start, const double target[3], double fraction, double *out);
enum status start_speed(struct start *start, double fraction, double *out);

/* The length that `fraction` of the vectors [count][3], one per body, do not exceed. */
enum status start_length(struct start *start, double (*vectors)[3], double fraction, double *out);

enum status start_mean_mass(const struct start *start, double *out);

/* STATUS_USAGE if a camera at `eye` would be within a drawn body, closer than its softening length
 * and look.radius. Says the same, of the first such body, on any number of ranks. */
enum status start_check_eye(const struct start *start, const struct scene *scene,
                            const double eye[3]);

/* Fills params->found.look; everything else that the pictures depend on must be filled already.
 * Accelerations, if needed, come from `simulation`, which is at frame 0. */
enum status scales_find(struct renderer_params *params, struct start *start,
                        struct simulation *simulation);
