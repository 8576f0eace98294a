/* Pictures in the sink's own format, in host memory, top row first, with strides. Colour: BT.709
 * primaries and transfer; YUV formats use the BT.709 matrix at limited range, RGB formats full
 * range. High-dynamic-range formats are described below and use BT.2020's matrix. 10-bit samples
 * are little-endian 16-bit words. */
#pragma once

#include "base/choice.h"
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

enum picture_chroma picture_format_chroma(enum picture_format format);

/* Whether chroma is kept at half the width (4:2:0, 4:2:2), and at half the height (4:2:0). */
bool picture_format_halves_width(enum picture_format format);
bool picture_format_halves_height(enum picture_format format);

/* Whether plane 0 holds red, green, blue and alpha. */
bool picture_format_is_rgb(enum picture_format format);

enum picture_alpha picture_format_alpha(enum picture_format format);

enum picture_hdr picture_format_hdr(enum picture_format format);

/* The 10-bit format; not HDR_NONE. */
enum picture_format picture_format_with_hdr(enum picture_hdr hdr, enum picture_chroma chroma);

/* The format with these bits, 8 or 16. */
enum picture_format picture_format_rgba(uint32_t bits, enum picture_alpha alpha);

/* The format with 8 bits, which has chroma 420, or 10, which has 444; not ALPHA_NONE. */
enum picture_format picture_format_yuva(uint32_t bits, enum picture_alpha alpha);

/* Writes to[height][width][3] from a PICTURE_RGBA16 picture. Thread-safe. */
void picture_take_rgb(const struct picture *picture, uint16_t *to);

/* A straight colour over black; both 16 bits. */
static inline uint16_t picture_on_black(uint32_t colour, uint32_t alpha)
{
    return (uint16_t)((colour * alpha + 32767) / 65535);
}

/* How a file stores transparency. Constant data; thread-safe.
 *
 * Light adds to what is behind it and covers nothing, but alpha can only express coverage. Here a
 * pixel is as opaque as it is bright: alpha is the largest of its red, green and blue as shown,
 * after the tone curve. Then
 *
 *     on black      a picture, premultiplied or straight, is the ordinary one, to every bit of RGB
 *     on a colour b shown + (1 - alpha) b: b where there is no light; the light where a channel is
 *   full
 *
 * A premultiplied colour is the shown colour; a straight one is the shown colour divided by alpha,
 * and black where alpha is 0. In RGB all three are counted in codes after the dither, so that no
 * colour exceeds its alpha. In Y'CbCr straight alpha has a dither of its own. */

struct alpha {
    const char *name, *doc;
    enum picture_alpha kind;
};

/* Entries are struct alpha. */
extern const struct registry alpha_registry;

/* The tag that says how colours relate to alpha in a file; its value is an entry's name. */
#define ALPHA_TAG "gravreel_alpha"

/* For a file with alpha and this tag (NULL: none); straight if the tag is missing, as in PNG. */
enum picture_alpha alpha_told(const char *tag);

/* A picture with red, green and blue in separate planes: 16 bits per sample, full range, display
 * values, native byte order. Rows, and their number, are padded so that whole tiles of 32 x 32 can
 * be read; beyond the picture's edge samples are 0. */

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

/* Scales pictures. Thread-safe. */

/* Scales from[height][width][3] to to[to_height][to_width][3], full range as shown. A pixel of the
 * result is the mean of the area that it covers, in linear light (power 2.2, as at the end of the
 * look's tone curve); a picture that is enlarged is interpolated linearly. Uniform pictures stay
 * uniform. */
void scale_rgb(const uint16_t *from, uint32_t width, uint32_t height, uint16_t *to,
               uint32_t to_width, uint32_t to_height);

/* High dynamic range: pictures brighter than ordinary white, in BT.2020 primaries. Ordinary white,
 * which letters also have, is HDR_WHITE (ITU-R BT.2408), the brightest light HDR_PEAK. Constant
 * data and pure functions; thread-safe. */

enum { HDR_WHITE = 203, HDR_PEAK = 1000 }; /* cd/m^2 */

struct hdr {
    const char *name, *doc;
    enum picture_hdr kind;
};

/* Entries are struct hdr. */
extern const struct registry hdr_registry;

/* The brightest light relative to ordinary white; 1 without HDR. */
double hdr_headroom(enum picture_hdr kind);

/* Linear light in BT.709 primaries, 1 the brightest -> the signal R'G'B', 0 .. 1: converts to
 * BT.2020 primaries (BT.2087), then applies ST 2084's inverse EOTF, or BT.2100's inverse HLG EOTF
 * for a display of HDR_PEAK cd/m^2. Same as shaders/hdr.glsl. */
void hdr_signal(enum picture_hdr kind, const double light[3], double signal[3]);

/* The projection of the scene into the picture. One const entry each, default first. */

struct projection {
    const char *name, *doc;
    bool flat;         /* one picture: it can be drawn in tiles, or be shared by panels */
    int columns, rows; /* of pictures: two for a stereo pair, the left eye first */
    int eye;           /* -1, 1: the left or right picture of a pair, alone */
    bool whole_sphere; /* around the camera; equirectangular, twice as wide as high, or a dome */
    bool dome;         /* a whole sphere of which each picture shows the square around a dome */
    double span;       /* what the scene spans of it, in degrees; 0: camera.fov */
};

extern const struct projection projection_flat;
