/* A picture as red, green and blue apart: 16 bits per sample, full range as shown, native byte
 * order. Rows are padded, and so are their number, so that whole tiles of 32 x 32 can be read;
 * what is behind the picture's edge is 0. */
#ifndef RENDER_PICTURE_PLANES_H
#define RENDER_PICTURE_PLANES_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { PLANES_TILE = 32 };

struct planes {
    uint32_t width, height;
    uint32_t columns, rows; /* of tiles */
    size_t stride;          /* samples from row to row */
    uint16_t *channel[3];   /* red, green, blue */
};

/* Black. STATUS_RUNTIME where no memory is left. planes_close accepts a zeroed one. */
enum status planes_open(struct planes *planes, uint32_t width, uint32_t height);
void planes_close(struct planes *planes);

/* From rgb[height][width][3], as render/reader gives it. Thread-safe for different planes. */
void planes_fill(struct planes *planes, const uint16_t *rgb);

#endif
