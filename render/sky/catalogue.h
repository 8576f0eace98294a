/* Background stars: directions, light and colours of an invented sky with the brightnesses and
 * colours of the real one. Pure and thread-safe.
 *
 * Brightnesses follow real counts: the numbers of stars in the Hipparcos catalogue (ESA SP-1200,
 * 1997; complete to about magnitude 8) that are brighter than each whole magnitude, as listed in
 * OEIS A053406. Stars brighter than magnitude 3 are left out, because they would compete with the
 * foreground. Star i is the i-th brightest of the rest for any seed; a larger number of stars adds
 * fainter ones.
 *
 * Colours are those of black bodies with the temperatures of types B to M, about in the proportions
 * of the Henry Draper Catalogue (A. J. Cannon and E. C. Pickering, 1918 to 1924). Directions are
 * isotropic; directions and temperatures come from random numbers of each star. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SKY_STARS_MAX = 40000, SKY_MAGNITUDE = 5 };

struct sky_star {
    float direction[3]; /* unit vector in the scene's axes */
    float light;        /* relative to a star of magnitude SKY_MAGNITUDE */
    float shown[3];     /* red, green, blue, display values; the largest is 1 */
};

/* Stars 0 .. count - 1 of a seed. count <= SKY_STARS_MAX. */
void sky_catalogue(struct sky_star *out, size_t count, uint64_t seed);

/* The magnitude of star i. */
double sky_magnitude(size_t i);
