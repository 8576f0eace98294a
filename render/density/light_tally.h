/* Estimates the brightness of a film's pictures without drawing them: the light of a few bodies,
 * each spread over the empty space around it, adds up on a coarse grid, whose cells are binned by
 * brightness. Brightness is light per solid angle in an arbitrary unit, so it only compares
 * pictures of the same bodies. Pure; one thread at a time. */
#pragma once

#include "render/camera/aim.h"

#include <stdbool.h>
#include <stddef.h>

struct light_picture {
    struct camera_aim aim;
    double aspect; /* width / height */
    bool whole_sphere;
    size_t count;
    const double (*position)[3]; /* [count] */
    const float *radius;         /* [count] over which light is spread; not finite: no light */
    const double *light;         /* [count] */
};

enum { LIGHT_TALLY_BINS = 1 << 15 };

struct light_tally {
    double light[LIGHT_TALLY_BINS]; /* total of the cells in each bin; all zero at first */
};

void light_tally_add(struct light_tally *tally, const struct light_picture *picture);

/* The brightness below which `share` of all light lies; 0 if there is no light. */
double light_tally_below(const struct light_tally *tally, double share);
