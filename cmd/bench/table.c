#include "cmd/bench/table.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/sort.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MAX = 15, CALLS_MAX = 2000, LONG = 20 };

static double median(double *values, int count)
{
    sort_doubles(values, (size_t)count);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* On ranks, all take rank 0's time, so that all take as many samples. */
static enum status take(bench_sample sample, void *user, unsigned calls, double *seconds)
{
    enum status status = sample(user, calls, seconds);
    if (ranks_are_together())
        status = ranks_agree(status);
    return status == STATUS_OK ? ranks_first(seconds, sizeof *seconds) : status;
}

enum status bench_median(const struct bench_options *options, bench_sample sample, void *user,
                         double *seconds)
{
    const double target = options->quick ? 2e-3 : 20e-3, enough = options->quick ? 0.02 : 0.3;
    const int least = options->quick ? 3 : 5;
    double values[SAMPLES_MAX], first = 0, spent = 0;
    int count = 0;
    *seconds = 0;
    enum status status = take(sample, user, 1, &first);
    /* The first call may include start-up costs; the second determines how many calls make a
     * sample. */
    if (status == STATUS_OK && first < target)
        status = take(sample, user, 1, &first);
    if (status == STATUS_OK && first >= LONG * target)
        values[count++] = spent = first; /* long enough that start-up costs do not matter */
    double calls = first > 0 ? target / first : CALLS_MAX;
    unsigned batch = calls < 1 ? 1 : calls > CALLS_MAX ? CALLS_MAX : (unsigned)calls;
    while (status == STATUS_OK && count < SAMPLES_MAX && (count < least || spent < enough)) {
        double took = 0;
        status = take(sample, user, batch, &took);
        values[count++] = took / batch;
        spent += took;
    }
    if (status == STATUS_OK)
        *seconds = median(values, count);
    return status;
}

struct cpu_work {
    void (*work)(void *user);
    void *user;
};

static enum status sample_cpu(void *user, unsigned calls, double *seconds)
{
    const struct cpu_work *cpu = user;
    double start = clock_seconds();
    for (unsigned k = 0; k < calls; k++)
        cpu->work(cpu->user);
    *seconds = clock_seconds() - start;
    return STATUS_OK;
}

enum status bench_median_cpu(const struct bench_options *options, void (*work)(void *user),
                             void *user, double *seconds)
{
    struct cpu_work cpu = {work, user};
    return bench_median(options, sample_cpu, &cpu, seconds);
}

/* ---- filling ---- */

struct bench_table *bench_add_table(struct bench_report *report, const char *suite,
                                    size_t column_count, const struct bench_column *columns,
                                    const char *title, ...)
{
    struct bench_table *table = memory_new(1, sizeof *table);
    va_list arguments;
    va_start(arguments, title);
    *table = (struct bench_table){
        .suite = suite,
        .title = text_format_list(title, arguments),
        .column_count = column_count,
        .columns = memory_new(column_count, sizeof *columns),
        .axes = {.x = BENCH_NO_COLUMN, .group = BENCH_NO_COLUMN},
        .report = report,
    };
    va_end(arguments);
    for (size_t c = 0; c < column_count; c++) {
        table->columns[c] = columns[c];
        table->columns[c].heading = memory_text(columns[c].heading);
        table->columns[c].unit = memory_text(columns[c].unit);
    }
    report->tables = memory_grow(report->tables, report->table_count + 1, sizeof table);
    report->tables[report->table_count++] = table;
    return table;
}

void bench_add_note(struct bench_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    table->notes = memory_grow(table->notes, table->note_count + 1, sizeof *table->notes);
    table->notes[table->note_count++] = text_format_list(format, arguments);
    va_end(arguments);
}

static void end_row(const struct bench_table *table)
{
    const struct bench_watcher *watcher = &table->report->watcher;
    if (watcher->row && table->row_count > 0)
        watcher->row(watcher->user, table, table->row_count - 1);
}

void bench_ready(struct bench_report *report)
{
    char note[256];
    const bool busy = bench_load_note(&report->load, note, sizeof note);
    for (; report->ready_count < report->table_count; report->ready_count++) {
        struct bench_table *table = report->tables[report->ready_count];
        end_row(table);
        if (busy)
            bench_add_note(table, "%s", note);
        if (report->watcher.table)
            report->watcher.table(report->watcher.user, table);
    }
}

void bench_add_row(struct bench_table *table)
{
    end_row(table);
    size_t row = table->column_count * sizeof *table->cells;
    table->cells = memory_grow(table->cells, table->row_count + 1, row);
    memset(table->cells + table->row_count++ * table->column_count, 0, row);
}

static void set(struct bench_table *table, size_t column, struct bench_cell value)
{
    if (table->row_count == 0 || column >= table->column_count) {
        free(value.text);
        return;
    }
    struct bench_cell *cell = &table->cells[(table->row_count - 1) * table->column_count + column];
    free(cell->text);
    *cell = value;
}

void bench_number(struct bench_table *table, size_t column, double value)
{
    set(table, column, (struct bench_cell){.kind = BENCH_NUMBER, .number = value});
}

void bench_text(struct bench_table *table, size_t column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(table, column,
        (struct bench_cell){.kind = BENCH_TEXT, .text = text_format_list(format, arguments)});
    va_end(arguments);
}

void bench_failed(struct bench_table *table, size_t column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(table, column,
        (struct bench_cell){.kind = BENCH_FAILED, .text = text_format_list(format, arguments)});
    va_end(arguments);
}

void bench_result(struct bench_table *table, size_t column, enum status status, double value)
{
    if (status == STATUS_OK)
        bench_number(table, column, value);
    else
        bench_failed(table, column, "%s", status_text());
}

void bench_report_free(struct bench_report *report)
{
    for (size_t t = 0; t < report->table_count; t++) {
        struct bench_table *table = report->tables[t];
        for (size_t c = 0; c < table->column_count; c++) {
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
        free(table->title);
        free(table);
    }
    free(report->tables);
    free(report->cpu);
    free(report->cuda);
    *report = (struct bench_report){0};
}

/* ---- reading ---- */

const struct bench_cell *bench_cell(const struct bench_table *table, size_t row, size_t column)
{
    return &table->cells[row * table->column_count + column];
}

/* The power of ten of the first digit, after rounding: 9.999 is 10.0. */
static int power_of_ten(double value, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    const char *e = strchr(text, 'e');
    return e ? (int)strtol(e + 1, NULL, 10) : 0;
}

static void number_text(double value, int digits, char *text, size_t size)
{
    int power = digits > 0 && isfinite(value) ? power_of_ten(value, digits) : 0;
    if (!isfinite(value))
        snprintf(text, size, "%g", value);
    else if (digits == 0 || (power >= 3 && power < 9))
        text_whole(text, size, value);
    else if (power < -3 || power >= 9)
        snprintf(text, size, "%.*e", digits - 1, value);
    else
        snprintf(text, size, "%.*f", digits - 1 > power ? digits - 1 - power : 0, value);
}

void bench_cell_text(const struct bench_table *table, size_t row, size_t column, char *text,
                     size_t size)
{
    const struct bench_cell *cell = bench_cell(table, row, column);
    text[0] = '\0';
    switch (cell->kind) {
    case BENCH_EMPTY:
        break;
    case BENCH_NUMBER:
        number_text(cell->number, table->columns[column].digits, text, size);
        break;
    case BENCH_TEXT:
        snprintf(text, size, "%s", cell->text);
        break;
    case BENCH_FAILED:
        snprintf(text, size, "failed: %s", cell->text);
        break;
    }
}

static const double much = 0.1; /* share of the processors */

bool bench_load_note(struct load *since, char *note, size_t size)
{
    const struct load_parts parts = load_since(*since);
    *since = load_now();
    if (!(parts.others > much) || ranks_are_together()) /* the other ranks are no disturbance */
        return false;
    snprintf(note, size,
             "The machine was busy: others used %.0f %% of its processors meanwhile, so that "
             "rates are too low and times too high; measure again when nothing else runs.",
             100 * parts.others);
    return true;
}
