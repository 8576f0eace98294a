/* Background stars and galaxies: directions, light and colours of an invented sky with the
 * brightnesses and colours of the real one. Pure and thread-safe.
 *
 * Brightnesses follow real counts: the numbers of stars in the Hipparcos catalogue (ESA SP-1200,
 * 1997; complete to about magnitude 8) that are brighter than each whole magnitude, as listed in
 * OEIS A053406. Stars brighter than magnitude 3 are left out, because they would compete with the
 * foreground. Star i is the i-th brightest of the rest for any seed; a larger number of stars adds
 * fainter ones.
 *
 * Colours are those of black bodies with the temperatures of types B to M, about in the proportions
 * of the Henry Draper Catalogue (A. J. Cannon and E. C. Pickering, 1918 to 1924). Directions are
 * isotropic; directions and temperatures come from random numbers of each star.
 *
 * Galaxies are much farther away than the bodies: exponential disks and ellipticals seen from
 * random sides, at about the same surface brightness. The number brighter than a limit goes as the
 * limit to the power -3/2, as in Euclidean space. */
#pragma once

#include "render/camera/project.h"
#include "render/gl/gl.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SKY_STARS_MAX = 40000, SKY_GALAXIES_MAX = 20000, SKY_MAGNITUDE = 5 };

struct sky_star {
    float direction[3]; /* unit vector in the scene's axes */
    float light;        /* relative to a star of magnitude SKY_MAGNITUDE */
    float shown[3];     /* red, green, blue, display values; the largest is 1 */
    float size;    /* of a galaxy: its scale length, in deviations of a star's spot; 0: a star */
    float axis[3]; /* of a galaxy: unit vector along its longer axis, normal to `direction` */
    float ratio;   /* of a galaxy: shorter axis / longer axis */
};

/* Stars 0 .. count - 1 of a seed. count <= SKY_STARS_MAX. */
void sky_catalogue(struct sky_star *out, size_t count, uint64_t seed);

/* Galaxies 0 .. count - 1 of a seed, the largest first on average; `light` is that of the middle.
 * count <= SKY_GALAXIES_MAX. */
void sky_galaxies(struct sky_star *out, size_t count, uint64_t seed);

/* The magnitude of star i. */
double sky_magnitude(size_t i);

/* Adds background stars behind the light in a target: each pixel shows the brighter of both, so
 * that stars do not shine through bright regions. They turn with the camera's direction and are not
 * affected by its position; they are the same in both eyes of a stereo pair, at infinite distance,
 * and surround the camera on a whole sphere.
 *
 * A star is a round spot whose size is a share of what camera.fov spans of the picture, but is
 * never so small that it would flicker; its total light, relative to that share, is the same at any
 * picture size. Spots are centred on 64ths of the whole picture's pixels, and light is computed by
 * the distance from there, so that a tile agrees exactly with the whole picture. Only for the
 * renderer; a GL context must be current. */

struct stars_setup {
    size_t count;    /* of sky_catalogue; with galaxies 0, too: none until stars_set */
    size_t galaxies; /* of sky_galaxies */
    uint64_t seed;
    double saturation; /* of their colours, 0 .. 1 */
    double stretch;    /* camera_found's */
    bool whole_sphere; /* the target is a full sphere, see post/sphere.h */
    double dome;       /* or a dome with this field of view, in degrees */
    bool values;       /* the target's red is a value times the light, and so is its blue without
                        * stars: stars add only to blue and alpha, so that both can be separated */
};

struct stars;

enum status stars_create(struct stars **out, const struct stars_setup *setup);
void stars_destroy(struct stars **stars); /* accepts a pointer to NULL */

/* Replaces the stars. `deviation`: standard deviation of their spots, as a share of what camera.fov
 * spans of the picture. */
void stars_set(struct stars *stars, const struct sky_star *sky, size_t count, double deviation);

/* `light`: in the middle of a star of magnitude SKY_MAGNITUDE. `window`: the part of the picture
 * that the target shows; for a sphere, its width and height. */
void stars_add(const struct stars *stars, const struct gl_target *target,
               const struct camera_aim *aim, const struct camera_window *window, double light);
