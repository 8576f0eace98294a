/* Converts rows of Y'CbCr bytes to red, green and blue in integers, for each instruction set:
 * accurate to an eighth of a code, and identical on all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
