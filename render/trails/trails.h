/* Trails: the paths of a view's last frames, as light added to that of the bodies. Only for the
 * renderer; a GL context must be current. */
#pragma once

#include "render/camera/project.h"
#include "render/gl/context.h"
#include "render/gl/gl.h"
#include "render/sprites/setup.h"
#include "sim/view.h"

/* The path of a body through successive frames: a cubic from the body's positions and velocities.
 * Pure. */

/* The path between two frames, parametrized by 0 .. 1. */
struct trail_span {
    const float *from, *to; /* rows of struct view_trail */
    double tangent[2][3];   /* derivatives by the parameter at both ends */
    double fastest;         /* upper bound of the speed, length per parameter */
};

/* `interval`: simulated time between the rows. Tangents are shortened where a body turns so much
 * between two frames, as in a close encounter, that the cubic would overshoot. */
void trail_span_make(struct trail_span *out, const float from[8], const float to[8],
                     double interval);

/* Interpolates the body's row at u, 0 .. 1; returns the path's speed there. */
double trail_span_at(const struct trail_span *span, double u, float row[8]);

/* The share of a trail's light left at `age`, in parts of its length: 1 at 0, and 0 from 1 on. */
double trail_left(double age);

struct trails;

/* `setup` and `target`: of the sprites to whose light trails are added; `fps`: frames per second.
 * STATUS_USAGE for colours that need more than a body's position and velocity. */
enum status trails_create(struct trails **out, const struct sprites_setup *setup, double fps,
                          const struct gl_target *target, const struct gl_context *context);
void trails_destroy(struct trails **trails); /* accepts a pointer to NULL */
void trails_tune(struct trails *trails, const struct look_params *look); /* as sprites_tune */

/* Adds the view's trail, if it has one, to the target. A body that moves by more than half an edge
 * of the periodic box from one frame to the next has crossed the edge, and leaves no trail there;
 * edge 0: not periodic. scale: for the whole trail, see struct sprite_sights. */
void trails_add(struct trails *trails, const struct gl_target *target,
                const struct camera_pose *pose, const struct view *view, const double edge[3],
                double scale);
