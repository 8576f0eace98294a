/* The samples of a picture one by one, in codes, whatever its format. Columns of NV12's second
 * plane are separate: its Cb is plane 1, its Cr plane 2, as in the planar formats; red, green and
 * blue are planes 0 to 2 too. */
#ifndef CMD_REGRESSION_CONTROLS_SAMPLES_H
#define CMD_REGRESSION_CONTROLS_SAMPLES_H

#include "render/picture/picture.h"

enum { SAMPLES_PLANES = 3 };

uint32_t samples_columns(const struct picture *picture, int plane);
uint32_t samples_rows(const struct picture *picture, int plane);
/* Codes to one of 8 bits. */
double samples_scale(const struct picture *picture);

double samples_get(const struct picture *picture, int plane, uint32_t x, uint32_t y);
/* Rounded to the nearest code there is. */
void samples_set(struct picture *picture, int plane, uint32_t x, uint32_t y, double code);

/* R'G'B', 0 .. 1 but not held to that, of the luma sample at a pixel and its chroma samples; of
 * Y'CbCr by Rec. ITU-R BT.709-6 at limited range, as all pictures are (render/picture/picture.h).
 */
void samples_rgb(const struct picture *picture, uint32_t x, uint32_t y, double rgb[3]);

#endif
