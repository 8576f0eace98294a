#include "cmd/library/rows.h"

#include <string.h>

struct rows rows_of(const void *x, const void *y, const void *z, ptrdiff_t stride, size_t size,
                    size_t each)
{
    struct rows out = {.size = size, .each = each, .apart = y || z};
    out.from[0] = x;
    out.from[1] = y ? y : out.from[0] + size;
    out.from[2] = z ? z : out.from[1] + size;
    out.stride = stride ? stride : (ptrdiff_t)(out.apart ? size : each * size);
    return out;
}

static size_t step_of(const struct rows *rows)
{
    return (size_t)(rows->stride < 0 ? -rows->stride : rows->stride);
}

static size_t piece_width(const struct rows *rows)
{
    return rows->apart ? rows->size : rows->each * rows->size;
}

bool rows_are_packed(const struct rows *rows)
{
    return !rows->apart && rows->stride == (ptrdiff_t)(rows->each * rows->size);
}

size_t rows_pieces(const struct rows *rows)
{
    return rows->apart ? rows->each : 1;
}

size_t rows_span(const struct rows *rows, size_t count, size_t *low)
{
    const size_t steps = count > 0 ? (count - 1) * step_of(rows) : 0;
    *low = rows->stride < 0 ? steps : 0;
    return count > 0 ? steps + piece_width(rows) : 0;
}

size_t rows_within(const struct rows *rows, size_t size)
{
    const size_t each = size / rows_pieces(rows), width = piece_width(rows);
    return each > width ? (each - width) / step_of(rows) + 1 : 1;
}

struct rows rows_after(const struct rows *rows, size_t count)
{
    struct rows out = *rows;
    for (size_t c = 0; c < rows->each; c++)
        out.from[c] += (ptrdiff_t)count * rows->stride;
    return out;
}

/* `bytes` is known to the compiler, which makes moves of memcpy. */
static inline __attribute__((always_inline)) void move(char *to, size_t step, const char *from,
                                                       ptrdiff_t stride, size_t count, size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * step, from + (ptrdiff_t)i * stride, bytes);
}

void rows_pack(char *to, const struct rows *rows, size_t count)
{
    const size_t row = rows->each * rows->size, bytes = piece_width(rows);
    for (size_t p = 0; p < rows_pieces(rows); p++, to += bytes)
        switch (bytes) {
        case 4:
            move(to, row, rows->from[p], rows->stride, count, 4);
            break;
        case 8:
            move(to, row, rows->from[p], rows->stride, count, 8);
            break;
        case 12:
            move(to, row, rows->from[p], rows->stride, count, 12);
            break;
        case 24:
            move(to, row, rows->from[p], rows->stride, count, 24);
            break;
        }
}
