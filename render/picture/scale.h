/* Scales pictures. Thread-safe. */
#ifndef RENDER_PICTURE_SCALE_H
#define RENDER_PICTURE_SCALE_H

#include <stdint.h>

/* Scales from[height][width][3] to to[to_height][to_width][3], full range, display values. A pixel
 * becomes the mean over its area in linear light (power 2.2, like the end of the look's tone
 * curve); when enlarging, values between two pixels are interpolated linearly. Uniform pictures
 * stay unchanged. */
void scale_rgb(const uint16_t *from, uint32_t width, uint32_t height, uint16_t *to,
               uint32_t to_width, uint32_t to_height);

#endif
