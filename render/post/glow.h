/* Light as spread by a lens and an eye: a share of it passes through a round point-spread function
 * that is bright at the light itself and falls off as the inverse cube of the distance (A. F. J.
 * Moffat's profile, Astronomy and Astrophysics 3, 455, 1969, with an exponent of 1.5), so that a
 * glow has no visible edge. It is a sum of Gaussians, each twice as wide as the one before, made on
 * a pyramid of halved pictures; its width is relative to the picture's height. Beyond the target
 * there is no light, and light spread over its edge is lost. Only for the renderer; a GL context
 * must be current. */
#pragma once

#include "render/gl/context.h"
#include "render/gl/util.h"

struct glow_setup {
    const struct gl_target *source; /* a target of the source's size */
    double rows;                    /* rows of the source that are the picture's height */
    bool in_memory;                 /* for glow_mix */
};

struct glow;

enum status glow_create(struct glow **out, const struct gl_context *context,
                        const struct glow_setup *setup);
void glow_destroy(struct glow **glow); /* accepts a pointer to NULL */

enum { GLOW_FACTOR = 2 }; /* texels of the source per texel of glow_target, along an axis */

/* Writes the source's light, all of it spread, to glow_target at half the size; smooth when
 * interpolated. A vertex array must be bound. */
void glow_make(struct glow *glow, const struct gl_target *source);
/* Replaces a share of light in host memory, rows from the bottom, by its glow, which is faster than
 * software GL. There is no glow_target then. */
void glow_mix(struct glow *glow, float *light, float share);
const struct gl_target *glow_target(const struct glow *glow);
