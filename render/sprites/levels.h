/* Where sprites of all sizes are added up at a bounded cost: a pyramid of grids over one target,
 * each twice as coarse as the one before, beside each other in one atlas. A sprite is drawn into
 * the finest grid on which it is at most LEVEL_SPRITE pixels wide, and the grids are then added to
 * one another from the coarsest to the finest. Grids lie on whole pixels of the whole picture, so
 * that tiles agree. Pure. */
#ifndef RENDER_SPRITES_LEVELS_H
#define RENDER_SPRITES_LEVELS_H

#include <stdint.h>

enum {
    LEVEL_SPRITE = 16,    /* pixels of its grid */
    LEVEL_MEASURED = 128, /* the same where light is measured: a coarser grid blurs less */
    LEVELS_MOST = 12,
};

struct sprite_level {
    int x, y;          /* lower left, in the atlas, with `sprite` pixels around it */
    int width, height; /* without them */
};

struct sprite_levels {
    int sprite;               /* LEVEL_SPRITE or LEVEL_MEASURED */
    int count, width, height; /* of the atlas */
    struct sprite_level at[LEVELS_MOST];
};

/* For a target of width x height pixels of a picture whose longer side is `whole`. Level 0 is the
 * target itself. */
void sprite_levels_plan(struct sprite_levels *out, int sprite, uint32_t width, uint32_t height,
                        uint32_t whole);

/* The whole picture's pixel at which level `level` begins along an axis, in pixels of that level,
 * for a target that begins at `corner`. */
int sprite_level_begin(int level, float corner);

/* What takes clip coordinates of the target to the atlas': x y are factors, z w, times the clip
 * coordinates' w, are added. */
void sprite_level_place(const struct sprite_levels *levels, int level, const float corner[2],
                        float place[4]);

/* The part of the atlas, in clip coordinates, that centres of its sprites may lie in: left, lower,
 * right, upper. */
void sprite_level_bounds(const struct sprite_levels *levels, int level, float bounds[4]);

#endif
