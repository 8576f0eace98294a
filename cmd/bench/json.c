#include "cmd/bench/json.h"

#include "base/file.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An empty cell is null, a failed one {"failed": reason}. */
static json_t *cell_json(const struct bench_cell *cell)
{
    switch (cell->kind) {
    case BENCH_NUMBER:
        return isfinite(cell->number) ? json_real(cell->number) : json_null();
    case BENCH_TEXT:
        return json_string(cell->text);
    case BENCH_FAILED:
        return json_pack("{s:s}", "failed", cell->text);
    case BENCH_EMPTY:
        break;
    }
    return json_null();
}

static json_t *table_json(const struct bench_table *table)
{
    json_t *columns = json_array(), *rows = json_array(), *notes = json_array();
    int error = 0;
    for (size_t c = 0; c < table->column_count; c++)
        error |= json_array_append_new(
            columns, json_pack("{s:s, s:s, s:b}", "heading", table->columns[c].heading, "unit",
                               table->columns[c].unit, "published", table->columns[c].published));
    for (size_t r = 0; r < table->row_count; r++) {
        json_t *row = json_array();
        for (size_t c = 0; c < table->column_count; c++)
            error |= json_array_append_new(row, cell_json(bench_cell(table, r, c)));
        error |= json_array_append_new(rows, row);
    }
    for (size_t n = 0; n < table->note_count; n++)
        error |= json_array_append_new(notes, json_string(table->notes[n]));
    json_t *object = json_pack("{s:s, s:s, s:o, s:o, s:o}", "suite", table->suite, "title",
                               table->title, "columns", columns, "rows", rows, "notes", notes);
    if (error) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static char *report_text(const struct bench_report *report)
{
    json_t *tables = json_array();
    int error = 0;
    for (size_t t = 0; t < report->table_count; t++)
        error |= json_array_append_new(tables, table_json(report->tables[t]));
    json_t *root =
        json_pack("{s:s, s:s, s:s?, s:s?, s:o}", "program", "gravreel", "version", GRAVREEL_VERSION,
                  "cpu", report->cpu, "cuda", report->cuda, "tables", tables);
    char *text = error || !root ? NULL : json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    json_decref(root);
    return text;
}

enum status bench_write_json(const struct bench_report *report, const char *path)
{
    char *text = report_text(report);
    if (!text)
        return status_fail(STATUS_RUNTIME, "the report has text that JSON cannot hold");
    enum status status = STATUS_OK;
    if (path)
        status = file_write(path, text, strlen(text));
    else if (puts(text) == EOF || fflush(stdout) != 0)
        status = status_fail(STATUS_IO, "cannot write to the standard output");
    free(text);
    return status;
}
