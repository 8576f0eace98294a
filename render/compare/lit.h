/* Measures that an encoder keeps in a dark picture and a mistake changes: light, colour, detail and
 * layout of the lit pixels alone, because black ones are the same in any two films. A pixel is lit
 * if a channel of either picture reaches the measurement's limit. Sums of frames add up to those of
 * a film. Pure; thread-safe. */
#pragma once

#include "render/compare/tile.h"
#include "render/picture/picture.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LIT_BINS = 161,  /* of changes of brightness from -40 % to 40 % */
    LIT_COLOURS = 8, /* strengths of colour */
};

/* Sums over parts of 8 x 8 pixels whose colour in A has a certain strength: the size of
 * z = Cb + i Cr, as codecs store it (BT.709, codes of the mean). A change of hue turns z, one of
 * saturation lengthens or shortens it, and grey is 0. */
struct lit_colour {
    double parts;
    double square;    /* the sum of |zA|^2 */
    double turned[2]; /* real and imaginary part of the sum of conj(zA) zB */
    double noise;     /* mean squared difference of luma within the part, codes */
};

/* Sums over the lit pixels of pictures A and B; zeroed: there are none. */
struct lit {
    double frames, pixels;
    double light[2][3];                    /* linear red, green, blue, in white pixels */
    struct lit_colour colour[LIT_COLOURS]; /* by strength, from 3.5 codes on in steps of sqrt(2) */
    double brightness[LIT_BINS]; /* mean codes of A in 8 x 8 pixels to the power of 4, by how much
                                  * B's differ: faint parts gain or lose a code or two */
    double detail[2];            /* squared differences of neighbouring pixels, of A and of B */
    double layout[2]; /* 1 - r^2, the correlation of A and B over the 4 x 4 pixels within 16 x 16,
                       * where their standard deviation is at least 17 codes; the count */
    double xx, xy, yy, x, y; /* normal equations of a shift from A to B, in blocks of 4 x 4 */
};

/* The sums of a frame while its tiles are measured. */
struct lit_frame {
    struct lit lit;
    uint64_t light[2][3]; /* linear; TILE_WHITE is a white pixel */
};

/* Adds a tile, whose upper left pixel is x, y; pixels with a channel of at least `least` are lit.
 */
void lit_tile(struct lit_frame *frame, const struct planes *a, const struct planes *b, uint32_t x,
              uint32_t y, uint16_t least);

/* Adds the equations of a shift, from the sums of 4 x 4 codes, of 12 bits, to the left, right,
 * above and below of a block, of both pictures together, and from its own difference B - A (B.
 * Lucas and T. Kanade, 1981). A block is larger than the shifts that matter, so that a star is no
 * point. */
void lit_shifted(struct lit *lit, double across, double down, double difference);

/* Finishes the frame's sums after all tiles. */
void lit_finish(struct lit_frame *frame);

void lit_add(struct lit *sum, const struct lit *one);

/* These return how B differs from A; NAN if the sums do not tell. */
double lit_light(const struct lit *lit);                /* linear luminance, % */
double lit_channel(const struct lit *lit, int channel); /* red, green or blue, linear, % */
double lit_brightness(const struct lit *lit);           /* codes of the bright parts, % (median) */
double lit_hue(const struct lit *lit);                  /* degrees from 0 to 180 */
/* Returns how many degrees of the hue are in doubt: the more, the coarser B is and the paler the
 * colours are. */
double lit_doubt(const struct lit *lit);
double lit_saturation(const struct lit *lit); /* %; -100 is grey */
double lit_detail(const struct lit *lit);     /* %; negative: blurred */
double lit_layout(const struct lit *lit);     /* 0: the same; 1: nothing in common */
double lit_shift(const struct lit *lit);      /* pixels, of points up to twice as many */

/* Stars that are in only one of two pictures, and points that moved by a pixel. */

/* How far from a pixel these functions read. */
enum { STARS_MARGIN = 2 };

/* Whether the 3 x 3 pixels around contain the same light in both pictures, each channel to within a
 * thirtieth, and one of them changed in the opposite direction: a point at a pixel's edge moved to
 * the other side. Symmetric. */
bool stars_moved(const struct planes *a, const struct planes *b, int32_t x, int32_t y);

/* The brightness (65535ths) of a star that the other picture lacks here, 0 if there is none of at
 * least `least` (> 0). The pixel must have the largest excess over the other picture among its 3 x
 * 3 pixels, none of these may have gained a third of that, and the excess must be at least half of
 * what the pixel stands out by. The background is the median of the 16 pixels two away. */
int32_t stars_alone(const struct planes *picture, const struct planes *other, int32_t x, int32_t y,
                    int32_t least);
