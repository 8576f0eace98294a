#include "render/sprites/levels.h"

#include <math.h>

/* Pixels beyond the target, for the filter that adds a level to the next finer one. */
enum { BORDER = 2 };

void sprite_levels_plan(struct sprite_levels *out, int sprite, uint32_t width, uint32_t height,
                        uint32_t whole)
{
    const int guard = 2 * sprite;
    int above = 0;
    *out = (struct sprite_levels){.sprite = sprite, .count = 1};
    while (out->count < LEVELS_MOST && (sprite << (out->count - 1)) < 4 * (int64_t)whole)
        out->count++;
    for (int l = 0; l < out->count; l++) {
        struct sprite_level *level = &out->at[l];
        const int more = l > 0 ? 2 * BORDER + 1 : 0;
        level->width = (int)ceil(ldexp(width, -l)) + more;
        level->height = (int)ceil(ldexp(height, -l)) + more;
        /* Coarser levels are stacked to the right of the finest. */
        level->x = l > 0 ? out->at[0].width + guard : 0;
        level->y = above;
        if (l > 0)
            above += level->height + guard;
        out->width = (int)fmax(out->width, level->x + level->width + guard);
        out->height = (int)fmax(out->height, level->y + level->height + guard);
    }
}

int sprite_level_begin(int level, float corner)
{
    return level > 0 ? (int)floor(ldexp(corner, -level)) - BORDER : (int)corner;
}

void sprite_level_place(const struct sprite_levels *levels, int level, const float corner[2],
                        float place[4])
{
    const struct sprite_level *at = &levels->at[level];
    const int size[2] = {levels->at[0].width, levels->at[0].height};
    const int atlas[2] = {levels->width, levels->height}, low[2] = {at->x, at->y};
    for (int i = 0; i < 2; i++) {
        const double half = ldexp(size[i] / 2.0, -level);
        const double middle = low[i] + levels->sprite + ldexp(corner[i], -level) + half -
                              sprite_level_begin(level, corner[i]);
        place[i] = (float)(2 * half / atlas[i]);
        place[2 + i] = (float)(2 * middle / atlas[i] - 1);
    }
}

void sprite_level_bounds(const struct sprite_levels *levels, int level, float bounds[4])
{
    const struct sprite_level *at = &levels->at[level];
    const int size[2] = {at->width, at->height};
    const int atlas[2] = {levels->width, levels->height}, low[2] = {at->x, at->y};
    for (int i = 0; i < 2; i++) {
        const double reach = levels->sprite / 2.0;
        bounds[i] = (float)(2 * (low[i] + reach) / atlas[i] - 1);
        bounds[2 + i] = (float)(2 * (low[i] + 3 * reach + size[i]) / atlas[i] - 1);
    }
}
