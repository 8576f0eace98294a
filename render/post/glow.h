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

#include <stdbool.h>

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

/* The passes of glow.h over light in host memory, for each instruction set
 * (render/picture/lanes.h), with identical results on all. Planes are RGBA, rows from the bottom.
 */

struct glow_plane {
    float *pixel; /* [height][width][4] */
    int width, height;
};

/* Room for a pass, each for a row of the widest plane: 4 * (width + 3) floats. */
struct glow_room {
    float *row;
    const float *nothing; /* zeros */
};

/* glow_down.glsl. Beyond the plane are the outermost texels, or nothing. */
typedef void glow_down_of(const struct glow_plane *from, bool outermost,
                          const struct glow_plane *to, const struct glow_room *room);
/* glow_up.glsl, from the level itself. */
typedef void glow_up_of(const struct glow_plane *coarser, float own_share,
                        const struct glow_plane *level, const struct glow_room *room);
/* glow_smooth.glsl */
typedef void glow_smooth_of(const struct glow_plane *from, float reach, const struct glow_plane *to,
                            const struct glow_room *room);

glow_down_of glow_down_baseline, glow_down_neon, glow_down_avx2, glow_down_avx512;
glow_up_of glow_up_baseline, glow_up_neon, glow_up_avx2, glow_up_avx512;
glow_smooth_of glow_smooth_baseline, glow_smooth_neon, glow_smooth_avx2, glow_smooth_avx512;
