/* Cells of a bench table by their column's heading; a heading or number that is missing fails the
 * test. */
#pragma once

#include "cmd/bench/table.h"
#include "tests/support/test.h"

#include <string.h>

static inline const struct bench_cell *cell(const struct bench_table *table, size_t row,
                                            const char *heading)
{
    for (size_t c = 0; c < table->column_count; c++)
        if (strcmp(table->columns[c].heading, heading) == 0)
            return bench_cell(table, row, c);
    fail_msg("there is no column '%s'", heading);
    return NULL;
}

static inline double number(const struct bench_table *table, size_t row, const char *heading)
{
    const struct bench_cell *found = cell(table, row, heading);
    if (found->kind != BENCH_NUMBER)
        fail_msg("'%s' of row %zu is no number: %s", heading, row, found->text ? found->text : "");
    return found->number;
}
