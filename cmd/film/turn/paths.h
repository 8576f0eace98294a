/* The paths of bodies over a film, in few bytes.
 *
 * A path is a tree of moments, each of a position and a velocity. The ends of the film are its
 * first two. Between two neighbouring moments a body follows the cubic Hermite polynomial
 * (hermite_at in sim/playback/playback.h); where that errs by more than a tolerance at some frame,
 * the frame in the middle becomes a moment, stored as its difference from the polynomial. So each
 * body has as many moments as its path needs. Differences are whole multiples of a step:
 * the tolerance for a position, and three tolerances by half the interval for a velocity, whose
 * error moves the path by less. What was coded is decoded again before the error is measured.
 *
 * The bytes, deflated: for each of PATH_LEVELS levels of the tree seven streams, first all of the
 * level 0. A stream holds, body by body and from earlier to later within a body, a byte 1 or 0
 * for each interval of at least two frames (whether it is divided), or whole numbers for x, y, z
 * and the three velocities, with the sign in the lowest bit and seven bits a byte, low ones first;
 * all but the last byte have the bit 128. The moments at the ends are in level 0: of the first
 * the numbers themselves, of the second the difference from the first. In level n + 1 are the moments that
 * divide intervals of level n. Decoded numbers are rounded to floats. Pure. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { PATH_LEVELS = 24, PATH_STREAMS = 7 };

/* Rows of x y z, and their velocities. */
struct path_row {
    float position[3], velocity[3];
};

struct paths {
    size_t bodies;
    uint32_t frames;             /* >= 1 */
    const double *time;          /* [frames] simulated, in one direction */
    const struct path_row *rows; /* [bodies][frames] */
};

struct path_streams {
    uint8_t *bytes; /* before deflating, all streams one after the other */
    size_t size;
    uint32_t length[PATH_LEVELS][PATH_STREAMS];
    uint64_t moments; /* of all bodies */
};

/* Codes with this tolerance, a length > 0. Free with path_streams_free. */
void paths_code(const struct paths *paths, double tolerance, struct path_streams *out);
void path_streams_free(struct path_streams *streams); /* accepts all zero */

/* Passes each body's rows [frames] to `take`. `paths` need not have rows. STATUS_IO if the bytes are
 * not those of paths_code. */
enum status paths_decode(const struct paths *paths, double tolerance,
                         const struct path_streams *streams,
                         void (*take)(void *user, size_t body, const struct path_row *rows),
                         void *user);
