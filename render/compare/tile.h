/* A tile's sums by the widest instruction set of this processor, and the light of one pixel. */
#pragma once

#include "render/compare/tile_isa.h"

/* See tile_isa.h. */
tile_sum_of tile_sum;

/* Linear light of a code, 0..1, see TILE_LIGHT_1. */
static inline float tile_light(float v)
{
    return v * (TILE_LIGHT_1 + v * (TILE_LIGHT_2 + v * (TILE_LIGHT_3 + v * TILE_LIGHT_4)));
}

/* Of the pixel at `at` samples in each channel, as in tile_sums.light. */
uint32_t tile_pixel_light(const struct planes *picture, size_t at);
