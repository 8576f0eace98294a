#include "base/sort.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, PASSES = 64 / DIGIT_BITS };
enum { FEW = 48, WIDTH_MOST = 2 };

/* So that the width of rows is a constant. */
#define INLINE static inline __attribute__((always_inline))

/* The bits of a number, changed so that their order is that of the numbers. */
INLINE uint64_t key_of(const double *row)
{
    uint64_t bits;
    memcpy(&bits, row, sizeof bits);
    return bits ^ (bits >> 63 ? UINT64_MAX : (uint64_t)1 << 63);
}

INLINE unsigned digit_of(const double *row, int pass)
{
    return key_of(row) >> (pass * DIGIT_BITS) & (DIGITS - 1);
}

/* Sorts by one digit. Returns false, and moves nothing, if all have the same. */
INLINE bool sort_by_digit(const double *from, double *to, size_t count, size_t width, int pass)
{
    size_t next[DIGITS] = {0}, before = 0;
    for (size_t i = 0; i < count; i++)
        next[digit_of(from + i * width, pass)]++;
    if (next[digit_of(from, pass)] == count)
        return false;
    for (int d = 0; d < DIGITS; d++) {
        const size_t here = next[d];
        next[d] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t at = next[digit_of(from + i * width, pass)]++;
        memcpy(to + at * width, from + i * width, width * sizeof *to);
    }
    return true;
}

/* By insertion. */
INLINE void sort_few(double *rows, size_t count, size_t width)
{
    for (size_t i = 1; i < count; i++) {
        double row[WIDTH_MOST];
        size_t k = i;
        memcpy(row, rows + i * width, width * sizeof *row);
        for (; k > 0 && key_of(rows + (k - 1) * width) > key_of(row); k--)
            memcpy(rows + k * width, rows + (k - 1) * width, width * sizeof *rows);
        memcpy(rows + k * width, row, width * sizeof *row);
    }
}

INLINE void sort(double *rows, size_t count, size_t width)
{
    if (count <= FEW) {
        sort_few(rows, count, width);
        return;
    }
    double *room = memory_new(count, width * sizeof *room), *from = rows, *to = room;
    for (int pass = 0; pass < PASSES; pass++)
        if (sort_by_digit(from, to, count, width, pass)) {
            double *const sorted = to;
            to = from;
            from = sorted;
        }
    if (from != rows)
        memcpy(rows, from, count * width * sizeof *rows);
    free(room);
}

void sort_doubles(double *values, size_t count)
{
    sort(values, count, 1);
}

void sort_rows(double (*rows)[2], size_t count)
{
    sort((double *)rows, count, 2);
}
