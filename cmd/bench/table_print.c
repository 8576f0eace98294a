#include "cmd/bench/table.h"

#include "base/file.h"
#include "base/json/facts.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_MAX = STATUS_TEXT_MAX, WIDTH_MAX = 256 };

static bool is_reason(const struct bench_table *table, size_t row, size_t column)
{
    return bench_cell(table, row, column)->kind == BENCH_FAILED;
}

static size_t longer(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Reasons of failures may be long: they are printed below the table and do not widen their
 * column. */
static size_t column_width(const struct bench_table *table, size_t column)
{
    char text[CELL_MAX];
    const struct bench_column *c = &table->columns[column];
    size_t width = longer(strlen(c->heading), strlen(c->unit));
    width = longer(width, c->published ? strlen("published") : 0);
    for (size_t r = 0; r < table->row_count; r++) {
        bench_cell_text(table, r, column, text, sizeof text);
        width = longer(width, is_reason(table, r, column) ? strlen("failed [99]") : strlen(text));
    }
    return width < WIDTH_MAX ? width : WIDTH_MAX;
}

static bool is_left(const struct bench_table *table, size_t column)
{
    for (size_t r = 0; r < table->row_count; r++)
        if (bench_cell(table, r, column)->kind == BENCH_TEXT)
            return true;
    return false;
}

/* Whether all cells are empty: kernels that this machine cannot run, published figures for other
 * numbers of bodies. */
static bool is_bare(const struct bench_table *table, size_t column)
{
    for (size_t r = 0; r < table->row_count; r++)
        if (bench_cell(table, r, column)->kind != BENCH_EMPTY)
            return false;
    return true;
}

struct layout {
    size_t first, last; /* the first and last printed columns, with width > 0 */
    size_t *width;
    bool *left;
};

static void put(const struct layout *layout, size_t column, const char *text)
{
    int width = (int)layout->width[column];
    if (width == 0)
        return;
    if (layout->left[column])
        width = column == layout->last ? 0 : -width;
    printf("%s%*s", column == layout->first ? "" : "  ", width, text);
}

static void print_headings(const struct bench_table *table, const struct layout *layout)
{
    bool units = false, published = false;
    for (size_t c = 0; c < table->column_count; c++) {
        units |= layout->width[c] > 0 && table->columns[c].unit[0] != '\0';
        published |= layout->width[c] > 0 && table->columns[c].published;
        put(layout, c, table->columns[c].heading);
    }
    putchar('\n');
    for (size_t c = 0; published && c < table->column_count; c++)
        put(layout, c, table->columns[c].published ? "published" : "");
    if (published)
        putchar('\n');
    for (size_t c = 0; units && c < table->column_count; c++)
        put(layout, c, table->columns[c].unit);
    if (units)
        putchar('\n');
    for (size_t c = 0; c < table->column_count; c++) {
        char rule[WIDTH_MAX + 1] = "";
        memset(rule, '-', layout->width[c]);
        put(layout, c, rule);
    }
    putchar('\n');
}

static void print_rows(const struct bench_table *table, const struct layout *layout)
{
    char text[CELL_MAX];
    int reasons = 0;
    for (size_t r = 0; r < table->row_count; r++) {
        for (size_t c = 0; c < table->column_count; c++) {
            bench_cell_text(table, r, c, text, sizeof text);
            if (is_reason(table, r, c))
                snprintf(text, sizeof text, "failed [%d]", ++reasons);
            put(layout, c, text);
        }
        putchar('\n');
    }
    reasons = 0;
    for (size_t r = 0; r < table->row_count; r++)
        for (size_t c = 0; c < table->column_count; c++)
            if (is_reason(table, r, c))
                printf("[%d] failed: %s\n", ++reasons, bench_cell(table, r, c)->text);
}

static enum status flush(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return status_fail(STATUS_IO, "cannot write to the standard output");
    return STATUS_OK;
}

enum status bench_print_table(const struct bench_table *table)
{
    struct layout layout = {0, 0, memory_new(table->column_count, sizeof *layout.width),
                            memory_new(table->column_count, sizeof *layout.left)};
    for (size_t c = table->column_count; c-- > 0;)
        layout.first = is_bare(table, c) ? layout.first : c;
    for (size_t c = 0; c < table->column_count; c++) {
        layout.width[c] = is_bare(table, c) ? 0 : column_width(table, c);
        layout.left[c] = is_left(table, c);
        if (layout.width[c] > 0)
            layout.last = c;
    }
    printf("\n%s: %s\n\n", table->suite, table->title);
    if (table->row_count > 0) {
        print_headings(table, &layout);
        print_rows(table, &layout);
    }
    for (size_t n = 0; n < table->note_count; n++)
        printf("%s\n", table->notes[n]);
    free(layout.width);
    free(layout.left);
    return flush();
}

enum status bench_print_machine(const struct bench_report *report)
{
    if (report->cpu)
        printf("CPU:  %s\n", report->cpu);
    if (report->cuda)
        printf("CUDA: %s\n", report->cuda);
    return flush();
}

/* ---- as JSON ---- */

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
