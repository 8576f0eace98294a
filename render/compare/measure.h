/* How two pictures of one size differ, measured for stars on black: nothing is averaged over the
 * whole frame, and bright pixels cannot outweigh a faint star. Measuring B against A gives the same
 * as A against B, except for signs where documented.
 *
 * Codes are 255ths of full scale; pixels and tiles of 32 x 32 are counted from the upper left
 * corner. A pixel's difference is that of the channel that differs most. Sums are integers, so the
 * result is the same on every machine and for any number of threads. */
#pragma once

#include "base/status.h"
#include "render/compare/lit.h"
#include "render/picture/picture.h"

#include <stdbool.h>
#include <stdint.h>

/* Differences of colour as they are seen, in OKLab (B. Ottosson, "A perceptual color space for
 * image processing", 2020): 0.02 is about the smallest difference that is visible side by side. */

enum { COLOUR_SIDE = 8 };

enum { MEASURE_STARS_MAX = 256, MEASURE_COUNTED_MAX = 1 << 14 };

/* All in codes. */
struct measure_params {
    double lit;     /* a pixel with a channel of at least this, in either picture, is lit */
    double free;    /* differences up to this count as rounding */
    double counted; /* pixels that differ by more are counted */
    double star;    /* a local maximum that stands out by at least this is a star */
    double light;   /* not in codes: as a share, by how much light may differ */
};
/* 12, 2, 8, 12, 0. */
extern const struct measure_params measure_usual;

struct measure_place {
    int32_t x, y; /* -1: nowhere */
    double value;
};

struct measure_pixel {
    int32_t x, y; /* -1: no pixel differs */
    int channel;  /* 0 to 2: red, green, blue */
    double value; /* codes */
    uint16_t a[3], b[3];
};

struct measure_star {
    int32_t x, y;
    double value; /* codes above the local background */
    bool added;   /* only in B; otherwise only in A, so missing */
};

struct measure {
    bool equal; /* every sample is equal */
    uint64_t pixels, lit;
    uint64_t counted, moved;      /* moved: counted, but the same light lies in 3 x 3 pixels */
    struct measure_pixel largest; /* over all pixels */
    struct measure_pixel hard;    /* over the pixels that have not moved */

    struct measure_place tile_counted; /* number of pixels; the worst tile */
    struct measure_place tile_mean;    /* codes, mean over the differences that are not free */
    struct measure_place tile_light;   /* relative change, see measure_light_change */
    struct measure_place tile_line;    /* codes, mean of B - A along a row or column of the tile,
                                        * over the differences that are not free */

    double bias; /* codes, sum of B - A over the lit pixels divided by their number, but by at least
                  * 4096: a mean over fewer pixels would be noise */
    double light[2]; /* sum of the linear luma of the lit pixels, in white pixels */
    double light_change;

    double ssim_mean, ssim_worst; /* over the lit windows of 8 x 8; 1 if there are none */
    struct measure_place ssim;    /* upper left pixel of the worst window; value: ssim_worst */
    double colour;       /* 100 x OKLab distance of 8 x 8 pixels, weighted by their light */
    struct lit lit_sums; /* zeroed for equal pictures */

    /* Pixels whose light differs by more than `light`, and the pixel where it differs most. The
     * caller sets them if the pictures have light; measuring planes leaves them at none. */
    uint64_t light_pixels;
    struct measure_place light_pixel;

    uint64_t missing, added;                      /* stars */
    struct measure_star stars[MEASURE_STARS_MAX]; /* the first ones, row by row */
    uint32_t star_count;
};

/* Scratch memory for pictures of one size. */
struct measurer;
enum status measurer_open(struct measurer **out, uint32_t width, uint32_t height,
                          const struct measure_params *params);
void measurer_close(struct measurer **measurer); /* accepts a pointer to NULL */

/* Tiles without a lit pixel in which all differences are free count as black; their pixels may be
 * overwritten. `needed` has a byte per tile, row by row: 0 marks such a tile, whose pixels are not
 * read. NULL: all tiles are read. Used by one thread at a time. */
void measure_pictures(struct measurer *measurer, struct planes *a, struct planes *b,
                      const uint8_t *needed, struct measure *measure);

/* The same in pieces, so that pixels are still in the processor's cache: every row of tiles in
 * order, each as soon as its pixels are ready, then measure_end. */
void measure_row(struct measurer *measurer, const struct planes *a, const struct planes *b,
                 const uint8_t *needed, uint32_t row, struct measure *measure);
void measure_end(struct measurer *measurer, struct planes *a, struct planes *b,
                 const uint8_t *needed, struct measure *measure);

/* For two pictures known to be equal. */
void measure_equal(uint32_t width, uint32_t height, struct measure *measure);
