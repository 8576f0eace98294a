/* Adds up adaptive sprites on the processor where GL itself is software, which spends most of a
 * frame on rasterizing and blending points. GL still runs the vertex shader of the draws: transform
 * feedback captures the sprites, and their light is added to the levels of levels.h in host memory,
 * in the order in which GL would blend it. Only for the renderer; a GL context must be current. */
#pragma once

#include "render/camera/project.h"
#include "render/gl/bodies.h"
#include "render/gl/context.h"
#include "render/gl/util.h"
#include "render/sprites/levels.h"
#include "render/sprites/setup.h"
#include "render/sprites/size.h"

/* All zero: not used. */
struct captured {
    GLuint buffer; /* receives the sprites of a draw */
    struct sprite_levels levels;
    float spacing;           /* of a row of sprites, see sprite_streak.glsl */
    size_t atlas_floats;     /* per row */
    float *atlas;            /* [levels.height][atlas_floats], RGBA */
    float *sum[LEVELS_MOST]; /* a level and all coarser ones */
    float *row;              /* of the coarser level, interpolated */
    bool changed;            /* sum[0] is not in the target yet */
};

/* Whether GL is software and the sprites are round ones whose profile is a polynomial. */
bool captured_suits(const struct gl_context *context, const struct sprites_setup *setup,
                    const struct sprite_size *size);

/* *captured must be all zero. After a failure captured_destroy must still be called. */
enum status captured_create(struct captured *captured, const struct sprites_setup *setup,
                            const struct sprite_levels *levels);
void captured_destroy(struct captured *captured); /* accepts all zero */

/* Begins a picture for the target. */
void captured_begin(struct captured *captured, const struct gl_target *target);

/* Which sprites of a body are added. */
struct captured_kind {
    bool streaks; /* the program outputs rows of sprites */
    GLint star;   /* its uniform that numbers a body's sprites */
    unsigned first, times;
};

/* Adds a group's bodies. The program must be in use with its uniforms set; it outputs
 * captured_points or captured_streaks. */
void captured_add(struct captured *captured, const struct body_array *from,
                  const struct draw_group *group, const struct captured_kind *kind);

/* Adds up all levels, in sum[0]. */
void captured_finish(struct captured *captured, const struct camera_pose *pose);
/* Writes that sum to the target. */
void captured_write(struct captured *captured, const struct gl_target *target);

enum { CAPTURED_VARYINGS = 5 };
extern const char *const captured_points[CAPTURED_VARYINGS],
    *const captured_streaks[CAPTURED_VARYINGS];
