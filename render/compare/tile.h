/* A tile's sums by the widest instruction set of this processor, and the light of one pixel. */
#pragma once

#include "render/picture/picture.h"

#include <stdint.h>

/* Light of one pixel, on the scale of tile_sums.light. at: its index in each channel. */
uint32_t tile_pixel_light(const struct planes *picture, size_t at);

/* Sums over a tile of 32 x 32 pixels of two pictures, in one pass, for each instruction set. All
 * sums are integers, so no order of addition changes the result. */

enum {
    TILE_SIDE = PLANES_TILE,
    TILE_BLOCK = 4, /* side of a block; SSIM windows consist of blocks */
    TILE_BLOCKS = TILE_SIDE / TILE_BLOCK,
};

/* Light of a white pixel in tile_sums.light. */
#define TILE_WHITE 1048576.0

/* Thresholds in 65535ths, for the largest of a pixel's three differences. */
struct tile_params {
    uint16_t lit;     /* a pixel with a channel of at least this, in either picture, is lit */
    uint16_t free;    /* differences up to this count as 0 */
    uint16_t counted; /* pixels that differ by more are counted */
};

struct tile_sums {
    uint32_t lit, counted, differing; /* pixels */
    uint16_t largest;                 /* difference */
    uint32_t over;                    /* sum of the differences that are not free */
    int32_t bias;                     /* sum of B - A over all channels of the lit pixels */
    uint32_t light[2];                /* sum of the linear luma of the lit pixels of A and B */
    int32_t line;                     /* largest sum of B - A, all channels, over a row or column */
};

/* A block of 4 x 4 pixels. Luma has 12 bits; where a difference is free, both get the mean. */
struct tile_block {
    uint16_t lit;     /* pixels */
    uint16_t differs; /* pixels whose difference is not free */
    int32_t a, b;     /* sums of luma */
    int32_t squares, product;
};

/* Linear light of a code, 0..1: a polynomial in v with terms v to v^4, within 1.5 % of v^2.2 (see
 * render/picture/picture.h) from 12/255 on. */
#define TILE_LIGHT_1 (-0.0066736f)
#define TILE_LIGHT_2 0.6489516f
#define TILE_LIGHT_3 0.5890231f
#define TILE_LIGHT_4 (-0.2313011f)

/* The tile's upper left pixel is at `at` samples in each channel. most[y][x] receives the largest
 * of each pixel's three differences. Thread-safe. */
typedef void tile_sum_of(const struct planes *a, const struct planes *b, size_t at,
                         const struct tile_params *params, struct tile_sums *sums,
                         struct tile_block blocks[TILE_BLOCKS][TILE_BLOCKS],
                         uint16_t most[TILE_SIDE][TILE_SIDE]);

tile_sum_of tile_sum_baseline, tile_sum_neon, tile_sum_avx2, tile_sum_avx512;

/* Uses the widest instruction set of this processor. */
tile_sum_of tile_sum;

/* Linear light of a code, 0..1, see TILE_LIGHT_1. */
static inline float tile_light(float v)
{
    return v * (TILE_LIGHT_1 + v * (TILE_LIGHT_2 + v * (TILE_LIGHT_3 + v * TILE_LIGHT_4)));
}
