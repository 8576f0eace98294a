#include "sim/playback/numbers.h"

#include "base/memory.h"
#include "sim/playback/ids.h"
#include "sim/playback/series.h"

#include <stdlib.h>

struct numbers {
    struct series series;
    struct ids ids; /* of the drawn bodies */
    const char *column;
    double *list;
    size_t count;
};

static enum status take_ids(struct numbers *numbers, const struct bodies *bodies)
{
    enum status status = ids_open(&numbers->ids, bodies->count);
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count && status == STATUS_OK;
         i = bodies_drawn(bodies, i + 1))
        status = ids_add(&numbers->ids, bodies->id[i]);
    return status;
}

static enum status add(struct numbers *numbers, const struct bodies *bodies)
{
    const struct body_column *column = body_columns_find(&bodies->columns, numbers->column);
    const size_t stride = (bodies->count + NUMBERS_ROWS - 1) / NUMBERS_ROWS;
    if (!column)
        return STATUS_OK;
    const size_t room = numbers->count + (bodies->count + stride - 1) / stride;
    double *larger = realloc(numbers->list, room * sizeof *larger);
    if (!larger)
        return status_fail(STATUS_RUNTIME, "no memory left for %zu numbers of the column '%s'",
                           room, numbers->column);
    numbers->list = larger;
    for (size_t i = 0, guess = 0; i < bodies->count; i += stride, guess++) {
        const size_t place = ids_find(&numbers->ids, bodies->id[i], guess);
        if (place == SIZE_MAX)
            continue;
        numbers->list[numbers->count++] = column->value[i];
        guess = place;
    }
    return STATUS_OK;
}

static enum status add_snapshot(struct numbers *numbers, size_t k)
{
    struct snapshot snapshot;
    const struct column_choice choice = {.names = (const char *const[]){numbers->column, NULL}};
    enum status status = series_read(&numbers->series, k, &choice, &snapshot);
    if (status != STATUS_OK)
        return status;
    status = add(numbers, snapshot.bodies);
    snapshot_free(&snapshot);
    return status;
}

enum status playback_numbers(const struct bodies_params *params, const struct bodies *bodies,
                             const char *column, double **out, size_t *count)
{
    struct numbers numbers = {.column = column};
    enum status status = series_open(&numbers.series, params);
    if (status == STATUS_OK)
        status = take_ids(&numbers, bodies);
    const size_t all = numbers.series.count;
    const size_t taken = all < NUMBERS_SNAPSHOTS ? all : NUMBERS_SNAPSHOTS;
    for (size_t i = 0; i < taken && status == STATUS_OK; i++)
        status =
            add_snapshot(&numbers, i * (all - 1) / (taken - 1)); /* a series has at least two */
    series_close(&numbers.series);
    ids_close(&numbers.ids);
    *out = status == STATUS_OK ? numbers.list : NULL;
    *count = status == STATUS_OK ? numbers.count : 0;
    if (status != STATUS_OK)
        free(numbers.list);
    return status;
}
