/* Numbers that change over the film between keyframes: functions of the frame alone, so that any
 * range of a film has the values of the whole. Thread-safe. */
#pragma once

#include "render/found.h"

/* How a move of the camera starts and ends. One const entry each, default first. Pure, thread-safe.
 *
 *   smooth  6 t^5 - 15 t^4 + 10 t^3: velocity and acceleration vanish at both ends
 *   in      2 t^3 - t^4: they vanish at the beginning; it ends at twice the mean speed and without
 *           acceleration, so that a linear move of that speed continues smoothly
 *   out     the same backwards
 *   linear  t */

struct ease {
    const char *name, *doc;
    double (*part)(double t); /* for 0 <= t <= 1 */
};

/* How much of a move is done at part t of its duration: 0 for t <= 0, 1 for t >= 1. */
double ease_at(const struct ease *ease, double t);

/* At a frame, which need not be whole. Before the first keyframe and after the last it rests. */
double keyed_at(const struct keyed *keyed, double frame);

/* Sets the numbers of one part in its parameters; returns whether any changed. */
bool keyed_apply(const struct keyed *list, size_t count, enum keyed_part part, double frame,
                 void *params);

/* Whether any is of that part. */
bool keyed_has(const struct keyed *list, size_t count, enum keyed_part part);
