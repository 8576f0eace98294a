/* The path of a body through successive frames: a cubic with the body's positions and velocities.
 * Pure. */
#ifndef RENDER_TRAILS_TRAIL_H
#define RENDER_TRAILS_TRAIL_H

/* From one frame to the next, as positions of the parameter 0 .. 1. */
struct trail_span {
    const float *from, *to; /* rows of struct view_trail */
    double tangent[2][3];   /* by the parameter, at both ends */
    double fastest;         /* the path is nowhere faster, in length by the parameter */
};

/* `interval`: simulated time between the rows. Where a body turns by so much between two frames
 * that the cubic would swing out, as in a close passage, the tangents are shortened. */
void trail_span_make(struct trail_span *out, const float from[8], const float to[8],
                     double interval);

/* A row as the body would have had it at u, 0 .. 1; returns how fast the path is there. */
double trail_span_at(const struct trail_span *span, double u, float row[8]);

/* How much of a trail's light is left of `age`, in parts of its length: 1 at 0, and 0 from 1 on. */
double trail_left(double age);

#endif
