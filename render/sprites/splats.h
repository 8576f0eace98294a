/* Adds up adaptive sprites by compute shaders, with the same result as drawn points, because
 * drawing uses only few of a GPU's multiprocessors. The vertex shader of the draws turns a body's
 * sprite into a record; records are listed by the tiles of the pyramid's atlas that they overlap,
 * and groups of threads add up a tile's list in 64-bit integers, so that the sum does not depend on
 * the order. Only for the renderer; a GL context must be current. */
#pragma once

#include "render/camera/project.h"
#include "render/gl/context.h"
#include "render/gl/gl.h"
#include "render/sprites/setup.h"

#include <stddef.h>

/* All zero: not used, sprites are drawn. */
struct splats {
    GLuint bodies; /* the program that creates records; not owned */
    GLuint tiles, list, add, resolve;
    GLuint buffer[10];
    struct sprite_levels levels;
    int across, up;        /* number of tiles of the atlas */
    size_t capacity, held; /* records */
    bool streaks;          /* a record is a row of splats, see setup.h */
    size_t together;       /* bodies of a group of threads */
    GLint first_body, body_count, first_splat, unit, splat_count, whole, picture;
    const struct body_array *from;
    GLuint pictures; /* so far; the number marks tiles lit in this picture */
};

/* Whether splats can replace points: full-screen passes are computed, GL has 64-bit integers, its
 * buffers are large enough for an atlas of these levels and this many bodies, and there are enough
 * buffers for this many columns. */
bool splats_suit(const struct gl_context *context, const struct sprite_levels *levels,
                 size_t bodies, int columns);

enum {
    SPLAT_COLUMNS = 10,        /* buffer bindings before those of columns */
    SPLAT_TILE = 16,           /* in pixels along an axis */
    SPLAT_SHARE = 256,         /* list entries that a group of threads adds up */
    SPLAT_THREADS = 32,        /* per group that creates records, with a body each */
    SPLAT_CROWD_THREADS = 256, /* the same where bodies are crowded, with */
    SPLAT_CROWD_EACH = 8,      /* so many bodies each, and a window of */
    SPLAT_WINDOW = 2048,       /* so many pixels at most, see splats_window() */
    SPLAT_ENTRIES = 9, /* list entries for a row of splats, at most; longer rows are scattered */
    SPLAT_PARTS = 8,   /* separately counted parts of a tile's list */
};

/* Whether small splats are added up in shared memory first, see sizing_crowd(). */
bool splats_crowded(const struct sprites_setup *setup);

/* The pixels of a window that shared memory has room for. */
unsigned splats_window(bool whole_sphere);

#define SPLAT_VERSION "#version 430 core\n#extension GL_ARB_gpu_shader_int64 : require\n"

/* *splats must be all zero. `bodies`: the program, not owned; `count`: bodies times samples added
 * up per picture. After a failure splats_destroy must still be called. */
enum status splats_create(struct splats *splats, GLuint bodies, const struct sprites_setup *setup,
                          const struct sprite_levels *levels, size_t count, bool streaks);
void splats_destroy(struct splats *splats); /* accepts all zero */

/* Begins a picture of the bodies in `from`. The brightest group has `light` per body; an isolated
 * body at the target would have a radius of `lone` pixels. */
void splats_begin(struct splats *splats, const struct body_array *from, float light, float lone);

/* Adds bodies. The program must be in use with its uniforms set, and is in use again afterwards. */
void splats_add(struct splats *splats, size_t first, size_t count);

/* Writes the sum of all light to `atlas`, whose format is GL_RGBA32F. */
void splats_finish(struct splats *splats, GLuint atlas);
