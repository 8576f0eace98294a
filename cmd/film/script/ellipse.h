/* The ellipse around a given part of some light in a picture. Pure; thread-safe. */
#pragma once

#include "sim/diagnostics.h"

#include <stddef.h>

/* Lights at positions in the picture, in any unit of length. */
struct ellipse_lights {
    size_t count;
    double (*at)[2], *light; /* [count]; light >= 0 */
};

/* All positions whose distance from the mean, in standard deviations of `covariance`, is at most
 * `scale`. */
struct ellipse {
    double mean[2], covariance[2][2], scale;
};

enum { ELLIPSE_TRIMS = 8 };

/* Room for as many lights, and the squares of the distances at which they were trimmed the last
 * time, near which the next ones are sought. That is faster if they are near, but finds the same.
 */
struct ellipse_buffers {
    double *square, *inside;
    struct shell *shells;
    double last[ELLIPSE_TRIMS];
};

/* The ellipse around `part` of the light, 0 < part <= 1. Mean and covariance are those of the light
 * inside, found by repeated trimming, so that a long faint tail hardly matters. All zero without
 * light. */
void ellipse_find(struct ellipse *out, const struct ellipse_lights *lights, double part,
                  struct ellipse_buffers *buffers);

/* The largest dot product of a direction and a point of the ellipse enlarged `times`. */
double ellipse_extent(const struct ellipse *ellipse, const double direction[2], double times);
