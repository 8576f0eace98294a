/* Adds up adaptive sprites on the processor where GL itself is software, which spends most of a
 * frame on rasterizing and blending points. GL still runs the vertex shader of the draws: transform
 * feedback captures the sprites, and their light is added to the levels of setup.h in host memory,
 * in the order in which GL would blend it. Only for the renderer; a GL context must be current. */
#pragma once

#include "render/camera/project.h"
#include "render/gl/context.h"
#include "render/gl/gl.h"
#include "render/sprites/setup.h"

#include <stddef.h>

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

/* The sprites of a body that are added. */
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

/* The arithmetic of captured.h, for each instruction set (render/picture/pixel_lanes.h), with
 * identical results on all. Sprites have the profile (1 - r^2)^2 of profile_soft.glsl. */

/* Sprites as transform feedback writes them: places in clip space, diameters in pixels, light. */
struct captured_point {
    float place[4], size, light[4];
};

/* A row of sprites along `path`, in normalized device coordinates; centres outside `inside` (left,
 * low, right, up) are left out. */
struct captured_streak {
    float place[4], size, path[2], inside[4], light[4];
};

/* Pixels of a row beyond its width, which receive what a vector adds there. */
enum { CAPTURED_BEYOND = 3 };

struct captured_atlas {
    float *pixel;  /* [height][floats] */
    size_t floats; /* per row, >= 4 * (width + CAPTURED_BEYOND) */
    int width, height;
    float spacing;
};

typedef void captured_points_of(const struct captured_atlas *atlas,
                                const struct captured_point *points, size_t count);
typedef void captured_streaks_of(const struct captured_atlas *atlas,
                                 const struct captured_streak *streaks, size_t count);

/* A level that is added to the sum of all coarser ones, as in sprite_levels.glsl. */
struct captured_level {
    const float *own; /* [height][own_floats] */
    size_t own_floats;
    const float *coarser; /* [coarser_height][coarser_width][4]; NULL: this is the coarsest level */
    int coarser_width, coarser_height;
    int origin[2]; /* the level's start, in half texels of the coarser one */
    int width, height;
    float *row; /* room for coarser_width + 2 pixels */
    float *sum; /* [height][width][4] */
};

typedef void captured_level_of(const struct captured_level *level);

captured_points_of captured_points_baseline, captured_points_neon, captured_points_avx2,
    captured_points_avx512;
captured_streaks_of captured_streaks_baseline, captured_streaks_neon, captured_streaks_avx2,
    captured_streaks_avx512;
captured_level_of captured_level_baseline, captured_level_neon, captured_level_avx2,
    captured_level_avx512;
