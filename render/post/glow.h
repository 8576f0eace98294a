/* Light as spread by a lens and an eye: a share of it passes through a round point-spread function
 * that is bright at the light itself and falls off as the inverse cube of the distance (A. F. J.
 * Moffat's profile, Astronomy and Astrophysics 3, 455, 1969, with an exponent of 1.5), so that a
 * glow has no visible edge. It is a sum of Gaussians, each twice as wide as the one before, made on
 * a pyramid of halved pictures; its width is relative to the picture's height. Beyond the target
 * there is no light, and light spread over its edge is lost. Only for the renderer; a GL context
 * must be current. */
#pragma once

#include "render/gl/context.h"
#include "render/gl/gl.h"

#include <stdbool.h>

struct glow_setup {
    const struct gl_target *source; /* a target of the source's size */
    double rows;                    /* rows of the source that are the picture's height */
    double core;    /* width of the point-spread function's core, relative to rows */
    bool in_memory; /* for glow_mix */
};

struct glow;

enum status glow_create(struct glow **out, const struct gl_context *context,
                        const struct glow_setup *setup);
void glow_destroy(struct glow **glow); /* accepts a pointer to NULL */

/* Names the passes in a recipe. */
void glow_recipe(struct recipe *out);

enum { GLOW_FACTOR = 2 }; /* texels of the source per texel of glow_target, along an axis */

/* Writes the source's light, all of it spread, to glow_target at half the size; smooth when
 * interpolated. A vertex array must be bound. */
void glow_make(struct glow *glow, const struct gl_target *source);
/* Replaces a share of light in host memory, rows from the bottom, by its glow, which is faster than
 * software GL. There is no glow_target then. */
void glow_mix(struct glow *glow, float *light, float share);
const struct gl_target *glow_target(const struct glow *glow);

/* The passes of glow.h over light in host memory, for each instruction set
 * (render/picture/pixel_lanes.h), with identical results on all. Planes are RGBA, rows from the
 * bottom.
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

/* Glow around light: the light target is halved level by level and added up again from the
 * coarsest, each level smoothed, so that dense regions shine beyond their bodies. After J. Jimenez,
 * "Next generation post processing in Call of Duty: Advanced Warfare", SIGGRAPH 2014 course. Only
 * for the renderer; a GL context must be current. */

struct bloom;

/* Creates bloom for a light target of this size. `joined`: the target's left and right edges
 * meet. */
enum status bloom_create(struct bloom **out, const struct gl_context *context, GLsizei width,
                         GLsizei height, bool joined);
void bloom_destroy(struct bloom **bloom); /* accepts a pointer to NULL */

enum { BLOOM_FACTOR = 4 }; /* texels of the light target per texel of bloom_target, along an axis */

/* Writes the glow of `light` to bloom_target, at a quarter of its size and with the same total
 * light. */
void bloom_make(struct bloom *bloom, const struct gl_target *light);
const struct gl_target *bloom_target(const struct bloom *bloom);

/* Light as spread by the vanes of a telescope's secondary mirror: straight arms of equal brightness
 * from every source. Along an arm light falls off exponentially, over a length relative to the
 * picture's height; an arm is slightly wider than a pixel, or in a larger picture the same part of
 * the height. A sum of shifted pictures, four at a time, each four times as far apart as the last:
 * M. Kawase, "Frame buffer postprocessing effects in DOUBLE-S.T.E.A.L", Game Developers Conference,
 * 2003. Beyond the target there is no light, and light spread over its edge is lost. Only for the
 * renderer; a GL context must be current. */

/* Number and directions of arms. One const entry each, default first. */
struct spike_arms {
    const char *name, *doc;
    int count;
    double first; /* degrees counter-clockwise from the right */
    bool level;   /* all along rows and columns */
};

struct spikes_setup {
    const struct gl_target *source; /* a target of the source's size */
    double rows;                    /* rows of the source that are the picture's height */
    bool joined;                    /* the left and right edges meet */
    const struct spike_arms *arms;
};

struct spikes;

enum status spikes_create(struct spikes **out, const struct gl_context *context,
                          const struct spikes_setup *setup);
void spikes_destroy(struct spikes **spikes); /* accepts a pointer to NULL */

/* Writes the source's light, all of it in the arms, to spikes_target, whose texels span
 * spikes_factor texels of the source. A vertex array must be bound. */
void spikes_make(struct spikes *spikes, const struct gl_target *source);
const struct gl_target *spikes_target(const struct spikes *spikes);
int spikes_factor(const struct spikes *spikes);
