/* Sprites of adaptive size added up by compute shaders: the same light as drawn points, where
 * drawing has only few of a GPU's multiprocessors. A body's sprite, found by the shader that draws
 * would use, becomes a record; records are listed by tiles of the pyramid's atlas that they reach
 * into, and groups of threads add up the light of a tile's list in whole numbers of 64 bits, so
 * that the sum is the same in whatever order it was listed. Only for the renderer; a GL context
 * must be current. */
#ifndef RENDER_SPRITES_SPLATS_H
#define RENDER_SPRITES_SPLATS_H

#include "render/camera/project.h"
#include "render/gl/bodies.h"
#include "render/gl/context.h"
#include "render/sprites/levels.h"
#include "render/sprites/setup.h"

#include <stddef.h>

/* All zero: none, and sprites are drawn. */
struct splats {
    GLuint bodies; /* the program that makes records, the owner's */
    GLuint tiles, list, add, resolve;
    GLuint buffer[9];
    struct sprite_levels levels;
    int across, up;        /* tiles of the atlas */
    size_t capacity, held; /* records */
    bool streaks;          /* a record is a row of splats, see streak.h */
    GLint first_body, body_count, first_splat, unit, splat_count, whole, picture;
    const struct body_array *from;
    GLuint pictures; /* so far: what a tile that holds light in this one is marked with */
};

/* Whether they take the place of points: where full-screen passes are computed, GL has integers of
 * 64 bits, and its buffers are large enough for an atlas of these levels and so many bodies, and
 * enough of them for so many columns. */
bool splats_suit(const struct gl_context *context, const struct sprite_levels *levels,
                 size_t bodies, int columns);

enum {
    SPLAT_COLUMNS = 8,  /* bindings of GL's buffers before those of columns */
    SPLAT_TILE = 16,    /* pixels along an axis */
    SPLAT_SHARE = 256,  /* entries of the list that a group of threads adds up */
    SPLAT_THREADS = 32, /* of a group that makes records */
    SPLAT_ENTRIES = 9,  /* of the list, for a row of splats at most; longer ones are scattered */
    SPLAT_PARTS = 8,    /* of a tile's list, counted apart */
};

#define SPLAT_VERSION "#version 430 core\n#extension GL_ARB_gpu_shader_int64 : require\n"

/* *splats all zero before. `bodies`: the program, which stays the caller's; `count`: bodies times
 * samples that a picture adds up. On failure splats_destroy must still be called. */
enum status splats_create(struct splats *splats, GLuint bodies, const struct sprites_setup *setup,
                          const struct sprite_levels *levels, size_t count, bool streaks);
void splats_destroy(struct splats *splats); /* accepts one all zero */

/* Begins a picture of bodies of `from`, of which the brightest group has `light` per body, and of
 * which one alone, at the target, would have a radius of `lone` pixels. */
void splats_begin(struct splats *splats, const struct body_array *from, float light, float lone);

/* Adds bodies; the program must be in use, with its uniforms set, and is again afterwards. */
void splats_add(struct splats *splats, size_t first, size_t count);

/* Leaves the light of all that was added in `atlas`, whose format is GL_RGBA32F. */
void splats_finish(struct splats *splats, GLuint atlas);

#endif
