/* Adds up sprites of all sizes at a bounded cost: a pyramid of grids over one target, each twice as
 * coarse as the one before, side by side in one atlas. A sprite is drawn into the finest grid on
 * which it is at most LEVEL_SPRITE pixels wide; then the grids are added from the coarsest to the
 * finest. Grids are aligned to whole pixels of the whole picture, so that tiles agree. Pure. */
#pragma once

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

/* Maps clip coordinates of the target to those of the atlas: multiply by xy, then add zw times the
 * clip coordinates' w. */
void sprite_level_place(const struct sprite_levels *levels, int level, const float corner[2],
                        float place[4]);

/* The allowed range of sprite centres in the atlas, in clip coordinates: left, lower, right,
 * upper. */
void sprite_level_bounds(const struct sprite_levels *levels, int level, float bounds[4]);
