/* PSNR and SSIM of luma as FFmpeg's filters psnr and ssim compute them, for people who know their
 * scales. Both are blind for stars on black. Pure; thread-safe. */
#ifndef RENDER_COMPARE_QUALITY_H
#define RENDER_COMPARE_QUALITY_H

#include <stddef.h>
#include <stdint.h>

struct quality {
    double error; /* mean squared difference, codes of 255 */
    double ssim;  /* mean over windows of 8 x 8 every 4 pixels; 1 where none fits */
};

void quality_measure(const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b, ptrdiff_t stride_b,
                     uint32_t width, uint32_t height, struct quality *quality);

/* Of a mean squared difference; INFINITY for 0. */
double quality_psnr(double error);

#endif
