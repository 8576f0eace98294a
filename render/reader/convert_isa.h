/* Rows of Y'CbCr bytes as red, green and blue, in whole numbers, for each instruction set: the
 * nearest codes but for an eighth of one, and the same from all. */
#ifndef RENDER_READER_CONVERT_ISA_H
#define RENDER_READER_CONVERT_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONVERT_BITS = 13, CONVERT_ROOM = 32 };

/* In units of 2^-CONVERT_BITS codes of 65535, of a code of luma and an eighth of a code of chroma.
 */
struct convert_factors {
    int32_t luma, red, green_blue, green_red, blue;
    int black; /* code of luma */
};

struct convert_row {
    const uint8_t *luma;
    /* In quarters of a code; CONVERT_ROOM more than are needed may be read. */
    const uint16_t *blue, *red;
    bool halved; /* chroma[i] belongs to luma[2 * i], and the samples between are halfway */
};

/* As convert_colours; nothing is read or written behind `count` pixels but chroma. Thread-safe. */
typedef void convert_row_of(const struct convert_row *row, const struct convert_factors *factors,
                            size_t count, uint16_t *const rgb[3]);

convert_row_of convert_row_baseline, convert_row_avx2, convert_row_avx512;

#endif
