/* Converts rows of Y'CbCr samples to red, green and blue, many at once; every processor gives
 * identical bits. Thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Converts rows of Y'CbCr bytes to red, green and blue in integers, for each instruction set:
 * accurate to an eighth of a code, and identical on all. */

enum { CONVERT_BITS = 13, CONVERT_ROOM = 32 };

/* In 2^-CONVERT_BITS codes of 65535, per code of luma and per eighth of a code of chroma. */
struct convert_factors {
    int32_t luma, red, green_blue, green_red, blue;
    int black; /* luma code of black */
};

struct convert_row {
    const uint8_t *luma;
    /* In quarters of a code; up to CONVERT_ROOM more samples may be read. */
    const uint16_t *blue, *red;
    bool halved; /* chroma[i] belongs to luma[2 * i]; the samples between are interpolated */
};

/* Like convert_colours; beyond `count` pixels only chroma is read, and nothing is written.
 * Thread-safe. */
typedef void convert_row_of(const struct convert_row *row, const struct convert_factors *factors,
                            size_t count, uint16_t *const rgb[3]);

convert_row_of convert_row_baseline, convert_row_neon, convert_row_avx2, convert_row_avx512;

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

/* Uses the widest instruction set of this processor. */
convert_row_of convert_row;
