/* The levels of levels.h in GL: an atlas to which sprites are added, and the passes that add the
 * levels into the target. Only for the renderer; a GL context must be current. */
#pragma once

#include "render/camera/project.h"
#include "render/gl/context.h"
#include "render/gl/pass.h"
#include "render/gl/util.h"
#include "render/sprites/levels.h"

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

/* Sets the uniforms of shaders/sprite.vert for the levels in the program in use. */
void pyramid_place(const struct pyramid *pyramid, GLuint program, const struct camera_pose *pose);

/* Adds all levels into `target`. A vertex array must be bound. */
void pyramid_add_up(const struct pyramid *pyramid, const struct camera_pose *pose,
                    const struct gl_target *target);
