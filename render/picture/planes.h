/* A picture with red, green and blue in separate planes: 16 bits per sample, full range, display
 * values, native byte order. Rows, and their number, are padded so that whole tiles of 32 x 32 can
 * be read; beyond the picture's edge samples are 0. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { PLANES_TILE = 32 };

struct planes {
    uint32_t width, height;
    uint32_t columns, rows; /* number of tiles */
    size_t stride;          /* samples from row to row */
    uint16_t *channel[3];   /* red, green, blue */
};

/* Starts black. STATUS_RUNTIME if memory runs out. planes_close accepts a zeroed one. */
enum status planes_open(struct planes *planes, uint32_t width, uint32_t height);
void planes_close(struct planes *planes);

/* Converts rgb[height][width][3], as render/reader gives it. Thread-safe for different planes. */
void planes_fill(struct planes *planes, const uint16_t *rgb);
