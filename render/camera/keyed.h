/* Numbers that change over the film between keyframes: functions of the frame alone, so that any range
 * of a film has the values of the whole. Thread-safe. */
#pragma once

#include "render/found.h"

/* At a frame, which need not be whole. Before the first keyframe and after the last it rests. */
double keyed_at(const struct keyed *keyed, double frame);

/* Sets the numbers of one part in its parameters; returns whether any changed. */
bool keyed_apply(const struct keyed *list, size_t count, enum keyed_part part, double frame,
                 void *params);

/* Whether any is of that part. */
bool keyed_has(const struct keyed *list, size_t count, enum keyed_part part);
