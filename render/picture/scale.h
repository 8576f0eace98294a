/* Pictures made smaller or larger. Thread-safe. */
#pragma once

#include <stdint.h>

/* Scales from[height][width][3] to to[to_height][to_width][3], full range as shown. A pixel becomes
 * the mean of the area that it covers, in linear light (power 2.2, as the look's tone curve ends);
 * where the picture grows, values between two pixels are interpolated linearly. Uniform pictures
 * stay as they are. */
void scale_rgb(const uint16_t *from, uint32_t width, uint32_t height, uint16_t *to,
               uint32_t to_width, uint32_t to_height);
