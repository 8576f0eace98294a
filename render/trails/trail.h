/* The path of a body through successive frames: a cubic from the body's positions and velocities.
 * Pure. */
#pragma once

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
