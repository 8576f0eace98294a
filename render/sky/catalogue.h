/* Background stars: directions, light and colours of a sky that no galaxy of the film belongs to,
 * but with the brightnesses and colours of the real one. Pure and thread-safe.
 *
 * Brightnesses are those of the real counts: the numbers of stars of the Hipparcos catalogue (ESA
 * SP-1200, 1997; complete to about magnitude 8) that are brighter than each whole magnitude, as
 * OEIS A053406 has them. Those brighter than magnitude 3 are left out, because they would compete
 * with what is in front of them. Star i is the i-th brightest that is left, whatever the seed, so
 * that more of them are the same ones and fainter ones beside them.
 *
 * Colours are those of black bodies of the temperatures of types B to M, about in the shares that
 * these have in the Henry Draper Catalogue (A. J. Cannon and E. C. Pickering, 1918 to 1924).
 * Directions, evenly spread, and temperatures come from random numbers of the star's own. */
#ifndef RENDER_SKY_CATALOGUE_H
#define RENDER_SKY_CATALOGUE_H

#include <stddef.h>
#include <stdint.h>

enum { SKY_STARS_MAX = 40000, SKY_MAGNITUDE = 5 };

struct sky_star {
    float direction[3]; /* unit vector in the scene's axes */
    float light;        /* against a star of magnitude SKY_MAGNITUDE */
    float shown[3];     /* red, green, blue on a display, the strongest of them 1 */
};

/* Stars 0 .. count - 1 of a seed. count <= SKY_STARS_MAX. */
void sky_catalogue(struct sky_star *out, size_t count, uint64_t seed);

/* The magnitude of star i. */
double sky_magnitude(size_t i);

#endif
