/* Arrays of bodies as they lie in memory, with or without gaps, and the same numbers packed, as the
 * stream has them. Only for the library's own files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct rows {
    const char *from[3]; /* x, y and z of the first body */
    size_t size, each;   /* bytes of a number; numbers of a body */
    ptrdiff_t stride;    /* from a body to the next */
    bool apart;          /* y and z are not right after x */
};

/* x, y, z and stride as in struct gravreel_array; each: 1 or 3. */
struct rows rows_of(const void *x, const void *y, const void *z, ptrdiff_t stride, size_t size,
                    size_t each);

bool rows_are_packed(const struct rows *rows);

/* Pieces in which the bodies lie: 1, or 3 if x, y and z are apart. */
size_t rows_pieces(const struct rows *rows);

/* Bytes of a piece, from the first number of `count` bodies to the last, with the gaps; *low: those
 * before the first body, if the stride is negative. count 0: none. */
size_t rows_span(const struct rows *rows, size_t count, size_t *low);

/* The largest number of bodies whose pieces are `size` bytes together; 1 if there is none. */
size_t rows_within(const struct rows *rows, size_t size);

/* The rows after `count` bodies. */
struct rows rows_after(const struct rows *rows, size_t count);

/* Packs `count` bodies, which are in host memory. */
void rows_pack(char *to, const struct rows *rows, size_t count);
