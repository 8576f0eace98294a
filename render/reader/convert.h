/* Converts rows of Y'CbCr samples to red, green and blue, many at once; every processor gives
 * identical bits. Thread-safe. */
#pragma once

#include "render/reader/convert_isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* to[i] = (from[i] - zero) / range */
void convert_bytes(const uint8_t *from, size_t count, float zero, float range, float *to);
void convert_words(const uint16_t *from, size_t count, float zero, float range, float *to);

/* to[i] += part * (other[i] - to[i]) */
void convert_blend(float *to, const float *other, size_t count, float part);

/* Upsamples by two: from[i], then the mean of from[i] and from[i + 1]. Also reads from[pairs]. */
void convert_spread(const float *from, size_t pairs, float *to);

/* Luma weights of red and blue. */
struct matrix {
    float red, blue;
};

/* Luma 0 .. 1 and colour differences -0.5 .. 0.5 to 16 bits, rounded and clamped. */
void convert_colours(const float *luma, const float *blue, const float *red, size_t count,
                     const struct matrix *matrix, uint16_t *const rgb[3]);

void convert_factors(struct convert_factors *factors, const struct matrix *matrix, bool full);

/* Chroma between two rows, in quarters: to[i] = (4 - part) * upper[i] + part * lower[i] */
void convert_between(const uint8_t *upper, const uint8_t *lower, size_t count, int part,
                     uint16_t *to);

/* See convert_isa.h. */
convert_row_of convert_row;
