/* The levels of levels.h in GL: an atlas that sprites are added to, and what adds the levels up
 * into the target. Only for the renderer; a GL context must be current. */
#ifndef RENDER_SPRITES_PYRAMID_H
#define RENDER_SPRITES_PYRAMID_H

#include "render/camera/project.h"
#include "render/gl/context.h"
#include "render/gl/pass.h"
#include "render/gl/util.h"
#include "render/sprites/levels.h"

struct pyramid {
    struct sprite_levels levels;
    struct gl_target atlas, sum[LEVELS_MOST]; /* of a level and all coarser ones; [0] is not made */
    struct gl_pass add;
    GLint corner, coarser_origin, coarser_share;
};

/* *pyramid all zero before. For a target of width x height pixels, of a picture whose longer side
 * is `whole`. On failure pyramid_destroy must still be called. */
enum status pyramid_create(struct pyramid *pyramid, const struct gl_context *context, int sprite,
                           uint32_t width, uint32_t height, uint32_t whole);
void pyramid_destroy(struct pyramid *pyramid); /* accepts one never created, all zero */

/* Clears the atlas; what is drawn from now on adds up in it. */
void pyramid_start_adding(const struct pyramid *pyramid);

/* The uniforms of shaders/sprite.vert for the levels, of the program in use. */
void pyramid_place(const struct pyramid *pyramid, GLuint program, const struct camera_pose *pose);

/* All levels into `target`. A vertex array must be bound. */
void pyramid_add_up(const struct pyramid *pyramid, const struct camera_pose *pose,
                    const struct gl_target *target);

#endif
