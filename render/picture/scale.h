/* Scales pictures. Thread-safe. */
#pragma once

#include <stdint.h>

/* Scales from[height][width][3] to to[to_height][to_width][3], full range as shown. A pixel of the
 * result is the mean of the area that it covers, in linear light (power 2.2, as at the end of the
 * look's tone curve); a picture that is enlarged is interpolated linearly. Uniform pictures stay
 * uniform. */
void scale_rgb(const uint16_t *from, uint32_t width, uint32_t height, uint16_t *to,
               uint32_t to_width, uint32_t to_height);
