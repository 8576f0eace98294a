/* A frame as a thousand sums of its luma, with signs and indices that depend on row and column
 * alone (Charikar, Chen and Farach-Colton 2002). The squared distance of two sketches estimates the
 * sum of squared luma differences of the frames to within a twentieth: enough to match frames of
 * two films without keeping their pixels. Pure; thread-safe. */
#pragma once

#include "render/picture/picture.h"

#include <stddef.h>
#include <stdint.h>

enum { SKETCH_LANES = 64, SKETCH_PARTS = 16, SKETCH_SUMS = SKETCH_LANES * SKETCH_PARTS };

struct sketch {
    float sum[SKETCH_SUMS]; /* codes of 255, times a constant factor */
};

/* Takes every second row of luma bytes. */
void sketch_bytes(struct sketch *sketch, const uint8_t *luma, ptrdiff_t stride, uint32_t width,
                  uint32_t height);

/* The same for a picture, with the luma weights of BT.709. */
void sketch_planes(struct sketch *sketch, const struct planes *planes);

/* Sum of squared differences, >= 0; 0 for identical frames. */
double sketch_distance(const struct sketch *a, const struct sketch *b);

/* PSNR and SSIM of luma as FFmpeg's filters psnr and ssim compute them, for comparison with other
 * tools. Neither notices stars on black. Pure; thread-safe. */

struct quality {
    double error; /* mean squared difference, in codes of 255 */
    double ssim;  /* mean over windows of 8 x 8 every 4 pixels; 1 if none fits */
};

void quality_measure(const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b, ptrdiff_t stride_b,
                     uint32_t width, uint32_t height, struct quality *quality);

/* PSNR for a mean squared difference, in dB; INFINITY for 0. */
double quality_psnr(double error);
