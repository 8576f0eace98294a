/* PSNR and SSIM of luma as FFmpeg's filters psnr and ssim compute them, for comparison with other
 * tools. Neither notices stars on black. Pure; thread-safe. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct quality {
    double error; /* mean squared difference, in codes of 255 */
    double ssim;  /* mean over windows of 8 x 8 every 4 pixels; 1 if none fits */
};

void quality_measure(const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b, ptrdiff_t stride_b,
                     uint32_t width, uint32_t height, struct quality *quality);

/* PSNR for a mean squared difference, in dB; INFINITY for 0. */
double quality_psnr(double error);
