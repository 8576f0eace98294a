/* Where two pictures of Y'CbCr bytes are both dark and the same but for rounding, told from the
 * samples: most of a night sky need not be converted to be compared. */
#ifndef RENDER_READER_QUIET_H
#define RENDER_READER_QUIET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct quiet_pictures {
    uint32_t width, height;
    int shift_x, shift_y; /* of chroma's size, 0 or 1 */
    bool full;            /* range */
    const uint8_t *a[3], *b[3];
    ptrdiff_t stride_a[3], stride_b[3];
};

/* See frame_find_needed. Thread-safe. */
bool quiet_find_needed(const struct quiet_pictures *pictures, double lit, double free,
                       uint8_t *needed);

#endif
