#include "sim/playback/numbers.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/edit.h"
#include "sim/playback/directory.h"
#include "sim/playback/ids.h"
#include "sim/playback/series.h"

#include <stdlib.h>

struct numbers {
    struct series series;
    /* The ids of the drawn bodies, or their directory if bodies are shared. */
    struct ids ids;
    struct directory *directory;
    const char *column;
    double *list;
    size_t count;
};

/* Collective. */
static enum status take_shared_ids(struct numbers *numbers, const struct bodies *bodies)
{
    uint64_t *id = malloc((bodies->count + 1) * sizeof *id);
    struct directory_twice twice;
    size_t count = 0;
    if (!id)
        return status_fail(STATUS_RUNTIME, "no memory left for the ids of %zu bodies",
                           bodies->count);
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1))
        id[count++] = bodies->id[i];
    const enum status status = directory_open(&numbers->directory, id, count, &twice);
    free(id);
    return status;
}

static enum status take_ids(struct numbers *numbers, const struct bodies *bodies)
{
    if (bodies->shared)
        return take_shared_ids(numbers, bodies);
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

/* Collective: adds the numbers of this rank's slice, from the same rows as in one process. */
static enum status add_shared(struct numbers *numbers, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const struct body_column *column = body_columns_find(&bodies->columns, numbers->column);
    uint64_t all = 0, first = 0;
    size_t taken = 0;
    for (size_t c = 0; c < bodies->component_count; c++)
        all += snapshot->whole[c];
    const uint64_t stride = (all + NUMBERS_ROWS - 1) / NUMBERS_ROWS;
    uint64_t *id = malloc((bodies->count + 1) * sizeof *id);
    struct whereabouts *where = malloc((bodies->count + 1) * sizeof *where);
    double *value = malloc((bodies->count + 1) * sizeof *value),
           *larger = realloc(numbers->list, (numbers->count + bodies->count + 1) * sizeof *larger);
    enum status status =
        id && where && value && larger
            ? STATUS_OK
            : status_fail(STATUS_RUNTIME, "no memory left for %zu numbers", bodies->count);
    if (larger)
        numbers->list = larger;
    for (size_t c = 0; c < bodies->component_count && column && status == STATUS_OK;
         first += snapshot->whole[c++]) {
        const struct component *component = &bodies->components[c];
        const uint64_t begin =
            first + share_begin(snapshot->whole[c], (unsigned)ranks_own(), (unsigned)ranks_count());
        for (size_t i = 0; i < component->count; i++)
            if ((begin + i) % stride == 0) {
                id[taken] = bodies->id[component->first + i];
                value[taken++] = column->value[component->first + i];
            }
    }
    if (status == STATUS_OK)
        status = directory_find(numbers->directory, id, taken, where);
    for (size_t i = 0; i < taken && status == STATUS_OK; i++)
        if (where[i].rank != DIRECTORY_NOWHERE)
            numbers->list[numbers->count++] = value[i];
    free(id);
    free(where);
    free(value);
    return status;
}

static enum status add_snapshot(struct numbers *numbers, size_t k)
{
    struct snapshot snapshot;
    const struct column_choice choice = {.names = (const char *const[]){numbers->column, NULL}};
    const bool shared = numbers->directory != NULL;
    enum status status = shared ? series_read_slice(&numbers->series, k, &choice, &snapshot)
                                : series_read(&numbers->series, k, &choice, &snapshot);
    if (status != STATUS_OK)
        return status;
    status = shared ? add_shared(numbers, &snapshot) : add(numbers, snapshot.bodies);
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
    directory_close(&numbers.directory);
    *out = status == STATUS_OK ? numbers.list : NULL;
    *count = status == STATUS_OK ? numbers.count : 0;
    if (status != STATUS_OK)
        free(numbers.list);
    return status;
}
