/* Adds up sprites of all sizes at a bounded cost: a pyramid of grids over one target, each twice as
 * coarse as the one before, side by side in one atlas. A sprite is drawn into the finest grid on
 * which it is at most LEVEL_SPRITE pixels wide; then the grids are added from the coarsest to the
 * finest. Grids are aligned to whole pixels of the whole picture, so that tiles agree. Pure. */
#pragma once

#include "base/status.h"
#include "render/camera/project.h"
#include "render/colour/colour.h"
#include "render/draw.h"
#include "render/gl/context.h"
#include "render/gl/gl.h"

#include <stdbool.h>
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

/* The levels in GL: an atlas to which sprites are added, and the passes that add the
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

/* The inputs of a light pass. Pure. */

/* Draws a body's motion while the shutter is open, with look.samples 1: as a row of sprites along a
 * straight path in the picture (shaders/sprites.glsl), from the body's position in the
 * picture when the shutter opens to its position when it closes. The row has the light of the
 * sprite and the variance of the path; it stands for the mean of many moments (test_streak.c). */

/* Maximum number of sprites along a path; on longer paths single sprites are visible. Each quad has
 * four corners, and a geometry shader may emit at most 1,024 numbers. */
enum { STREAK_MOST = 64, STREAK_QUADS = 16 };

/* The camera of one target when the shutter opens and closes, as camera_pose.view_projection. */
struct streak_ends {
    float opening[16], closing[16];
};

struct sprites_setup {
    struct look_params look;     /* of the picture, with the changes of its panel */
    const struct colour *colour; /* replaces the look's, in full floats; or NULL */
    struct look_found found;
    GLuint vertex_array; /* for full-screen passes */
    const struct draw_group *groups;
    int group_count;
    struct light_sum sum;
    struct body_buffers bodies;
    bool absences;                      /* bodies marked by COLUMN_ABSENT are not drawn */
    GLuint reference;                   /* positions to compare bodies with; 0: none */
    bool whole_sphere;                  /* this is a face of a sphere */
    uint32_t width, height;             /* of the drawn rectangle */
    uint32_t whole_width, whole_height; /* size of the picture that the rectangle is a tile of */
    double stretch;                     /* camera_found's */
    double spread; /* factor on the radii of adaptive sprites, with a third of the usual radius as a
                    * lower limit; 0: factor 1 and no limit */
    bool weighed;  /* alpha is the light, and the colour is alpha times the body's colour, or its
                    * value if that is mapped */
    bool quads;    /* for tests: quads even where points would suffice */
    size_t splats_at_once; /* for tests: number of records, see splats.h; 0: chosen automatically */
};

/* STATUS_USAGE for an inconsistent look. */
enum status sprites_setup_check(const struct sprites_setup *setup);

/* The exposure at which adaptive sprites add up to the surface density of the bodies, or of their
 * mass if look.weight says so: a body with light 1 contributes pi / 3 times the square of
 * found.spacing; 1/3 is the mean of all profiles over the disk. */
double sprites_setup_surface(const struct sprites_setup *setup);

/* The mode that colours bodies: look.color, unless the reference or the draw mode decides. */
const struct colour *sprites_setup_colour(const struct sprites_setup *setup);
/* The columns that the sprites read, in the order of their attributes. */
void sprites_setup_columns(const struct sprites_setup *setup, bool adaptive,
                           struct column_names *out);
/* Whether the target holds values instead of colours. */
bool sprites_setup_values(const struct sprites_setup *setup);

/* How large sprites are, and with which primitives they are drawn. Only for the renderer; pure. */

/* Diameters in pixels of the target. */
struct sprite_size {
    float nominal;  /* at the target's distance; 0: from the radius */
    float radius;   /* in the scene's unit of length */
    bool fixed;     /* `nominal` at any distance */
    bool adaptive;  /* from the empty space around a body */
    bool kernel;    /* like adaptive, but the radius of a body with a kernel is the kernel's */
    int level;      /* largest size of an adaptive sprite in pixels of its grid (struct
                     * sprite_levels) */
    uint32_t stars; /* number of stars per body */
    float star;     /* diameter of a star */
    float smallest, largest;
    float fading; /* larger sprites are dimmed so that their light stays constant: a body that the
                   * camera passes through does not flash */
    bool quads;   /* quads, because sprites may exceed the largest point */
    uint32_t margin; /* of the target. A point is drawn only if its centre is in the target, so
                      * points need the radius of the largest one; quads need a margin only for
                      * glow */
};

/* Chooses anew for other numbers of the setup's look, within the same target. */
void sprite_size_tune(struct sprite_size *size, const struct sprites_setup *setup);

/* Chooses for the target of the setup. `point_size_max`: the limit of the GL. */
void sprite_size_choose(struct sprite_size *out, const struct sprites_setup *setup,
                        float point_size_max);

/* Factor by which the shader divides by depth: pixels at a depth of one; for fixed sizes the size
 * itself, for adaptive ones the size of a radius of one. */
float sprite_size_at_unit_depth(const struct sprite_size *size, const struct camera_pose *pose);
