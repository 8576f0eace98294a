/* How bright a film's pictures are, without drawing them: the light of few bodies, each spread as
 * wide as it is empty around it, adds up on a coarse grid, and its cells are tallied by their
 * brightness. Brightness is light per solid angle, in a unit of its own: it only tells pictures of
 * the same bodies from one another. Pure; one thread at a time. */
#ifndef RENDER_DENSITY_LIGHT_TALLY_H
#define RENDER_DENSITY_LIGHT_TALLY_H

#include "render/camera/aim.h"

#include <stdbool.h>
#include <stddef.h>

struct light_picture {
    struct camera_aim aim;
    double aspect; /* width over height */
    bool whole_sphere;
    size_t count;
    const double (*position)[3]; /* [count] */
    const float *radius;         /* [count]: that the light is spread over; not finite: none is */
    const double *light;         /* [count] */
};

enum { LIGHT_TALLY_BINS = 1 << 15 };

struct light_tally {
    double light[LIGHT_TALLY_BINS]; /* in all cells of that brightness; all zero at first */
};

void light_tally_add(struct light_tally *tally, const struct light_picture *picture);

/* The brightness below which `share` of all light lies; 0 where there is none. */
double light_tally_below(const struct light_tally *tally, double share);

#endif
