/* Reads and writes the samples of a picture one by one, in codes, in any format. The columns of
 * NV12's second plane are separated: Cb is plane 1 and Cr plane 2, as in the planar formats. Red,
 * green and blue are planes 0 to 2, too. */
#pragma once

#include "render/picture/picture.h"

enum { SAMPLES_PLANES = 3 };

uint32_t samples_columns(const struct picture *picture, int plane);
uint32_t samples_rows(const struct picture *picture, int plane);
/* Returns how many codes correspond to one code of 8 bits. */
double samples_scale(const struct picture *picture);

double samples_get(const struct picture *picture, int plane, uint32_t x, uint32_t y);
/* Rounds to the nearest valid code. */
void samples_set(struct picture *picture, int plane, uint32_t x, uint32_t y, double code);

/* Gets R'G'B', 0 .. 1 but not clamped, from the luma sample at a pixel and its chroma samples.
 * Y'CbCr is converted by Rec. ITU-R BT.709-6 in limited range, which all pictures use
 * (render/picture/picture.h). */
void samples_rgb(const struct picture *picture, uint32_t x, uint32_t y, double rgb[3]);
