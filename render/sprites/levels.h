/* Adds up sprites of all sizes at a bounded cost: a pyramid of grids over one target, each twice as
 * coarse as the one before, side by side in one atlas. A sprite is drawn into the finest grid on
 * which it is at most LEVEL_SPRITE pixels wide; then the grids are added from the coarsest to the
 * finest. Grids are aligned to whole pixels of the whole picture, so that tiles agree. Pure. */
#pragma once

#include "render/camera/project.h"
#include "render/gl/context.h"
#include "render/gl/pass.h"
#include "render/gl/util.h"

#include <stdint.h>

enum {
    LEVEL_SPRITE = 16,    /* in pixels of its grid */
    LEVEL_MEASURED = 128, /* the same for measuring light: a coarser grid blurs less */
    LEVELS_MOST = 12,
};

struct sprite_level {
    int x, y;          /* lower left corner in the atlas, with `sprite` pixels around it */
    int width, height; /* without these pixels */
};

struct sprite_levels {
    int sprite;               /* LEVEL_SPRITE or LEVEL_MEASURED */
    int count, width, height; /* width and height of the atlas */
    struct sprite_level at[LEVELS_MOST];
};

/* For a target of width x height pixels of a picture whose longer side is `whole`. Level 0 is the
 * target itself. */
void sprite_levels_plan(struct sprite_levels *out, int sprite, uint32_t width, uint32_t height,
                        uint32_t whole);

/* The whole picture's pixel at which a level begins along an axis, in pixels of that level, for a
 * target that begins at `corner`. */
int sprite_level_begin(int level, float corner);

/* The levels of levels.h in GL: an atlas to which sprites are added, and the passes that add the
 * levels into the target. Only for the renderer; a GL context must be current. */

struct pyramid {
    struct sprite_levels levels;
    struct gl_target atlas, sum[LEVELS_MOST]; /* sum: a level and all coarser ones; [0] unused */
    struct gl_pass add;
    GLint corner, coarser_origin, coarser_share;
};

/* *pyramid must be all zero. For a target of width x height pixels in a picture whose longer side
 * is `whole`. After a failure pyramid_destroy must still be called. */
enum status pyramid_create(struct pyramid *pyramid, const struct gl_context *context, int sprite,
                           uint32_t width, uint32_t height, uint32_t whole);
void pyramid_destroy(struct pyramid *pyramid); /* accepts all zero */

/* Clears the atlas and enables additive blending into it. */
void pyramid_start_adding(const struct pyramid *pyramid);

/* Sets the uniforms of shaders/sprites.glsl for the levels in the program in use. */
void pyramid_place(const struct pyramid *pyramid, GLuint program, const struct camera_pose *pose);

/* Adds all levels into `target`. A vertex array must be bound. */
void pyramid_add_up(const struct pyramid *pyramid, const struct camera_pose *pose,
                    const struct gl_target *target);
