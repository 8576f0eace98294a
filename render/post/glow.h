/* Light as a lens and an eye spread it: a share of it through a round point-spread function that is
 * bright at the light itself and falls off as the inverse cube of the distance (A. F. J. Moffat's
 * profile, Astronomy and Astrophysics 3, 455, 1969, with an exponent of 1.5), so that no edge of a
 * glow shows. It is a sum of Gaussians, each twice as wide as the one before, made on a pyramid of
 * halved pictures; its width is a part of the picture's height. Light beyond the target is none,
 * and what is spread over its edge is lost. Only for the renderer; a GL context must be current. */
#ifndef RENDER_POST_GLOW_H
#define RENDER_POST_GLOW_H

#include "render/gl/context.h"
#include "render/gl/util.h"

#include <stdbool.h>

struct glow_setup {
    const struct gl_target *source; /* what glows, of this size */
    double rows;                    /* of it that are the picture's height */
    bool joined;                    /* its left and right edges meet */
    const struct gl_target *light;  /* what the glow is added to, of this size and format */
    double share;                   /* of the light that is spread, 0 .. 1 */
};

struct glow;

enum status glow_create(struct glow **out, const struct gl_context *context,
                        const struct glow_setup *setup);
void glow_destroy(struct glow **glow); /* accepts a pointer to NULL */

/* Spreads the source's light. */
void glow_make(struct glow *glow, const struct gl_target *source);

/* The light with its share of what was spread -> glow_target. The lower left corner of the light
 * lies at (x, y) in the source, in its pixels, of which a pixel of the light spans `scale`. A
 * vertex array must be bound. */
void glow_add(struct glow *glow, const struct gl_target *light, double x, double y, double scale);
const struct gl_target *glow_target(const struct glow *glow);

#endif
