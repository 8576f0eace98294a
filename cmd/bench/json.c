#include "cmd/bench/json.h"

#include "base/file.h"
#include "base/json/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell_cell(struct facts *row, const struct bench_cell *cell)
{
    if (cell->kind == BENCH_NUMBER)
        facts_number(row, NULL, cell->number);
    else if (cell->kind == BENCH_FAILED)
        facts_text(facts_object(row, NULL), "failed", cell->text);
    else
        facts_text(row, NULL, cell->text);
}

static void tell_table(struct facts *facts, const struct bench_table *table)
{
    facts_text(facts, "suite", table->suite);
    facts_text(facts, "title", table->title);
    struct facts *columns = facts_list(facts, "columns"), *rows = facts_list(facts, "rows"),
                 *notes = facts_list(facts, "notes");
    for (size_t c = 0; c < table->column_count; c++) {
        struct facts *column = facts_object(columns, NULL);
        facts_text(column, "heading", table->columns[c].heading);
        facts_text(column, "unit", table->columns[c].unit);
        facts_flag(column, "published", table->columns[c].published);
    }
    for (size_t r = 0; r < table->row_count; r++) {
        struct facts *row = facts_list(rows, NULL);
        for (size_t c = 0; c < table->column_count; c++)
            tell_cell(row, bench_cell(table, r, c));
    }
    for (size_t n = 0; n < table->note_count; n++)
        facts_text(notes, NULL, table->notes[n]);
}

enum status bench_write_json(const struct bench_report *report, const char *path)
{
    struct facts *facts = facts_open();
    facts_text(facts, "program", "gravreel");
    facts_text(facts, "version", GRAVREEL_VERSION);
    facts_text(facts, "cpu", report->cpu);
    facts_text(facts, "cuda", report->cuda);
    facts_list(facts, "tables");
    for (size_t t = 0; t < report->table_count; t++)
        tell_table(facts_item(facts, "tables"), report->tables[t]);
    char *text = facts_written(&facts, 1, 9);
    enum status status = STATUS_OK;
    if (path)
        status = file_write(path, text, strlen(text));
    else if (puts(text) == EOF || fflush(stdout) != 0)
        status = status_fail(STATUS_IO, "cannot write to the standard output");
    free(text);
    return status;
}
