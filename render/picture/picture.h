/* Pictures in the sink's own format, in host memory, top row first, with strides. Colour: BT.709
 * primaries and transfer; YUV formats use the BT.709 matrix at limited range, RGB formats full
 * range. High-dynamic-range formats are described in hdr.h and use BT.2020's matrix. 10-bit samples
 * are little-endian 16-bit words. */
#pragma once

#include "base/hash.h"
#include "base/status.h"
#include "render/picture/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PICTURE_PLANES_MAX = 4 };

/* Where a picture's planes lie in one block of memory. */
struct picture_layout {
    enum picture_format format;
    uint32_t width, height;
    int planes;
    struct {
        uint32_t bytes;  /* of the samples in a row */
        uint32_t stride; /* bytes from row to row, a multiple of 4 */
        uint32_t rows;
        size_t offset;
    } plane[PICTURE_PLANES_MAX];
    size_t size; /* of the whole block */
};

/* The linear light from which a picture was made, before glow, exposure and tone curve: all drawn
 * pixels, including those outside the picture whose glow reaches into it. */
struct picture_light {
    char hash[HASH_TEXT]; /* of red, green and blue as floats; "": not measured */
    double sum[3];        /* red, green, blue */
    uint64_t broken;      /* pixels with an infinite or NaN channel, excluded from the sums */
};

struct picture {
    struct picture_layout layout;
    uint8_t *data;  /* layout.size bytes; page-locked where a GPU copies into it */
    bool shares;    /* data is part of a block shared with other pictures */
    uint64_t frame; /* number within the film, from 0 */
    double time;    /* simulated */
    struct picture_light light;
};

/* Chroma planes of odd sizes are rounded up. */
void picture_layout(struct picture_layout *layout, enum picture_format format, uint32_t width,
                    uint32_t height);

const char *picture_format_name(enum picture_format format);

/* Bits per sample: 8, 10, 16 or 32. */
uint32_t picture_format_bits(enum picture_format format);

/* Whether samples are raw light, without tone curve, overlay and dither. */
bool picture_format_is_light(enum picture_format format);

/* Whether colour is kept at half the width and height (4:2:0). */
bool picture_format_subsampled(enum picture_format format);

/* Whether plane 0 holds red, green, blue and alpha. */
bool picture_format_is_rgb(enum picture_format format);

enum picture_alpha picture_format_alpha(enum picture_format format);

enum picture_hdr picture_format_hdr(enum picture_format format);

/* The 10-bit format. */
enum picture_format picture_format_with_hdr(enum picture_hdr hdr,
                                            bool subsampled); /* not HDR_NONE */

/* The format with these bits, 8 or 16. */
enum picture_format picture_format_rgba(uint32_t bits, enum picture_alpha alpha);
enum picture_format picture_format_yuva444p10(enum picture_alpha alpha); /* not ALPHA_NONE */

/* Writes to[height][width][3] from a PICTURE_RGBA16 picture. Thread-safe. */
void picture_take_rgb(const struct picture *picture, uint16_t *to);

/* A straight colour over black; both 16 bits. */
static inline uint16_t picture_on_black(uint32_t colour, uint32_t alpha)
{
    return (uint16_t)((colour * alpha + 32767) / 65535);
}
