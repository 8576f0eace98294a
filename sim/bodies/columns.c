#include "sim/bodies/columns.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Requests pages of 2 MiB, if the system has them: faulting in a large column in pages of 4 KiB
 * takes longer than reading it from a file. */
static void *in_large_pages(void *column, size_t count, size_t size)
{
    enum { LARGE = 2 << 20, WORTH = 2 * LARGE };
    const size_t bytes = count * size, over = (size_t)column % LARGE;
    if (column && bytes >= WORTH)
        (void)madvise((char *)column + (over ? LARGE - over : 0), bytes - LARGE, MADV_HUGEPAGE);
    return column;
}

void *body_column_memory(size_t count, size_t size)
{
    return in_large_pages(calloc(count > 0 ? count : 1, size), count, size);
}

bool body_column_resize(void *column, size_t room, size_t size)
{
    void *const old = *(void **)column, *const now = reallocarray(old, room > 0 ? room : 1, size);
    if (now)
        *(void **)column = in_large_pages(now, room, size);
    return now;
}

enum status body_columns_add(struct body_columns *columns, const char *name, const char *unit,
                             bool single, size_t room)
{
    struct body_column column = {.single = single,
                                 .value = body_column_memory(room, sizeof(double))};
    if (!column.value)
        return status_fail(STATUS_RUNTIME,
                           "the column %s of %zu bodies needs %.0f MiB, which do not fit in memory",
                           name, room, (double)room * sizeof(double) / (1 << 20));
    (void)snprintf(column.name, sizeof column.name, "%s", name);
    (void)snprintf(column.unit, sizeof column.unit, "%s", unit);
    columns->list = memory_grow(columns->list, columns->count + 1, sizeof *columns->list);
    columns->list[columns->count++] = column;
    return STATUS_OK;
}

struct body_column *body_columns_find(const struct body_columns *columns, const char *name)
{
    for (size_t c = 0; c < columns->count; c++)
        if (strcmp(columns->list[c].name, name) == 0)
            return &columns->list[c];
    return NULL;
}

void body_columns_remove(struct body_columns *columns, size_t index)
{
    free(columns->list[index].value);
    columns->count--;
    memmove(&columns->list[index], &columns->list[index + 1],
            (columns->count - index) * sizeof *columns->list);
}

enum status body_columns_copy(struct body_columns *out, const struct body_columns *columns,
                              size_t count)
{
    enum status status = STATUS_OK;
    for (size_t c = 0; c < columns->count && status == STATUS_OK; c++) {
        const struct body_column *from = &columns->list[c];
        status = body_columns_add(out, from->name, from->unit, from->single, count);
        if (status == STATUS_OK)
            memcpy(out->list[c].value, from->value, count * sizeof *from->value);
    }
    if (status != STATUS_OK)
        body_columns_free(out);
    return status;
}

bool body_columns_make_room(struct body_columns *columns, size_t room)
{
    bool fits = true;
    for (size_t c = 0; c < columns->count && fits; c++)
        fits = body_column_resize(&columns->list[c].value, room, sizeof(double));
    return fits;
}

void body_columns_move(struct body_columns *columns, size_t to, size_t from)
{
    for (size_t c = 0; c < columns->count; c++)
        columns->list[c].value[to] = columns->list[c].value[from];
}

void body_columns_swap(struct body_columns *columns, size_t a, size_t b)
{
    for (size_t c = 0; c < columns->count; c++) {
        double *value = columns->list[c].value;
        const double kept = value[a];
        value[a] = value[b];
        value[b] = kept;
    }
}

void body_columns_lack(struct body_columns *columns, size_t body)
{
    for (size_t c = 0; c < columns->count; c++)
        columns->list[c].value[body] = NAN;
}

struct body_column_range body_column_range(const struct body_column *column, size_t count)
{
    struct body_column_range range = {.least = NAN, .largest = NAN};
    for (size_t i = 0; i < count; i++) {
        if (isfinite(column->value[i])) {
            range.least = fmin(range.least, column->value[i]); /* fmin ignores NaN */
            range.largest = fmax(range.largest, column->value[i]);
        } else {
            range.missing++;
        }
    }
    return range;
}

void body_columns_free(struct body_columns *columns)
{
    for (size_t c = 0; c < columns->count; c++)
        free(columns->list[c].value);
    free(columns->list);
    *columns = (struct body_columns){0};
}
