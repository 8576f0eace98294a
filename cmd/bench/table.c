#include "cmd/bench/bench.h"

#include "base/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(struct bench_report *report, const char *text)
{
    char *own = strdup(text);
    if (!own)
        report->short_of_memory = true;
    return own;
}

static void free_table(struct bench_table *table)
{
    if (!table)
        return;
    for (size_t c = 0; table->columns && c < table->column_count; c++) {
        free((char *)table->columns[c].heading);
        free((char *)table->columns[c].unit);
    }
    for (size_t k = 0; k < table->row_count * table->column_count; k++)
        free(table->cells[k].text);
    for (size_t n = 0; n < table->note_count; n++)
        free(table->notes[n]);
    free(table->columns);
    free(table->cells);
    free(table->notes);
    free(table->suite);
    free(table->title);
    free(table);
}

void bench_report_free(struct bench_report *report)
{
    for (size_t t = 0; t < report->table_count; t++)
        free_table(report->tables[t]);
    free(report->tables);
    free(report->cpu);
    free(report->cuda);
    *report = (struct bench_report){0};
}

/* NULL, and the report is marked, when there is no room for one more. */
static void *grow(struct bench_report *report, void *array, size_t count, size_t size)
{
    void *larger = realloc(array, count * size);
    if (!larger)
        report->short_of_memory = true;
    return larger;
}

struct bench_table *bench_add_table(struct bench_report *report, const char *suite,
                                    const char *title, size_t column_count,
                                    const struct bench_column *columns)
{
    struct bench_table **tables =
        grow(report, report->tables, report->table_count + 1, sizeof(struct bench_table *));
    if (!tables)
        return NULL;
    report->tables = tables;
    struct bench_table *table = calloc(1, sizeof *table);
    if (table)
        table->columns = calloc(column_count, sizeof *table->columns);
    if (!table || !table->columns) {
        report->short_of_memory = true;
        free(table);
        return NULL;
    }
    table->suite = copy(report, suite);
    table->title = copy(report, title);
    table->column_count = column_count;
    table->axes = (struct bench_plot_axes){.x = BENCH_NO_COLUMN, .group = BENCH_NO_COLUMN};
    for (size_t c = 0; c < column_count; c++) {
        table->columns[c] = columns[c];
        table->columns[c].heading = copy(report, columns[c].heading);
        table->columns[c].unit = copy(report, columns[c].unit ? columns[c].unit : "");
    }
    if (report->short_of_memory) {
        free_table(table);
        return NULL;
    }
    report->tables[report->table_count++] = table;
    return table;
}

static char *format_text(struct bench_report *report, const char *format, va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0) {
        report->short_of_memory = true;
        return NULL;
    }
    return text;
}

void bench_add_note(struct bench_report *report, struct bench_table *table, const char *format, ...)
{
    char **notes = table ? grow(report, table->notes, table->note_count + 1, sizeof(char *)) : NULL;
    if (!notes)
        return;
    table->notes = notes;
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(report, format, arguments);
    va_end(arguments);
    if (text)
        table->notes[table->note_count++] = text;
}

void bench_add_row(struct bench_report *report, struct bench_table *table)
{
    struct bench_cell *cells = table ? grow(report, table->cells, table->row_count + 1,
                                            table->column_count * sizeof *cells)
                                     : NULL;
    if (!cells)
        return;
    table->cells = cells;
    memset(cells + table->row_count * table->column_count, 0, table->column_count * sizeof *cells);
    table->row_count++;
}

/* The cell of the last row, emptied; NULL when something is missing. */
static struct bench_cell *last(struct bench_table *table, size_t column)
{
    if (!table || table->row_count == 0 || column >= table->column_count)
        return NULL;
    struct bench_cell *cell = &table->cells[(table->row_count - 1) * table->column_count + column];
    free(cell->text);
    *cell = (struct bench_cell){0};
    return cell;
}

void bench_number(struct bench_table *table, size_t column, double value)
{
    struct bench_cell *cell = last(table, column);
    if (cell)
        *cell = (struct bench_cell){.kind = BENCH_NUMBER, .number = value};
}

static void set_text(struct bench_report *report, struct bench_cell *cell, enum bench_kind kind,
                     const char *format, va_list arguments)
{
    char *text = cell ? format_text(report, format, arguments) : NULL;
    if (text)
        *cell = (struct bench_cell){.kind = kind, .text = text};
}

void bench_text(struct bench_report *report, struct bench_table *table, size_t column,
                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(report, last(table, column), BENCH_TEXT, format, arguments);
    va_end(arguments);
}

void bench_failed(struct bench_report *report, struct bench_table *table, size_t column,
                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(report, last(table, column), BENCH_FAILED, format, arguments);
    va_end(arguments);
}

const struct bench_cell *bench_cell(const struct bench_table *table, size_t row, size_t column)
{
    return &table->cells[row * table->column_count + column];
}
