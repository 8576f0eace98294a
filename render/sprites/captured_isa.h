/* The arithmetic of captured.h, for each instruction set (render/picture/lanes.h), with identical
 * results on all. Sprites have the profile (1 - r^2)^2 of profile_soft.glsl. */
#pragma once

#include <stddef.h>

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
