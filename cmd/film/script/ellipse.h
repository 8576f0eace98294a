/* The ellipse around a given part of some light in a picture. Pure; thread-safe. */
#pragma once

#include "sim/diagnostics.h"

#include <stddef.h>

/* Lights at positions in the picture, in any unit of length. */
struct ellipse_lights {
    size_t count;
    double *x, *y, *light; /* [count]; light >= 0 */
};

/* All positions whose distance from the mean, in standard deviations of `covariance`, is at most
 * `scale`. */
struct ellipse {
    double mean[2], covariance[2][2], scale;
};

/* Room for as many lights, and where the first trim was, near which the next one is sought. It is
 * faster if that is right, but finds the same. */
struct ellipse_room {
    double *square, *inside;
    struct shell *shells;
    double first;
};

/* The ellipse around `part` of the light, 0 < part <= 1. Mean and covariance are those of the light
 * inside, found by repeated trimming, so that a long faint tail hardly matters. All zero without
 * light. */
void ellipse_find(struct ellipse *out, const struct ellipse_lights *lights, double part,
                  struct ellipse_room *room);

/* The largest dot product of a direction and a point of the ellipse enlarged `times`. */
double ellipse_extent(const struct ellipse *ellipse, const double direction[2], double times);
