/* Tables of results, and the report that contains them, as text, JSON and charts. Suites fill them
 * and are independent of the output. Not thread-safe. */
#pragma once

#include "base/machine.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The options of `gravreel bench`, apart from the suite and the output; and timing of work: the
 * median of several samples. */

struct bench_options {
    size_t count;                  /* number of bodies, from -n; 0: the suite's default */
    bool quick;                    /* fewer and smaller cases, 3 samples instead of 5 */
    bool cpu, cuda;                /* backends to run: requested and usable here */
    int device;                    /* CUDA device ordinal */
    char no_cuda[STATUS_TEXT_MAX]; /* why cuda is false, for a note in the suite's table; "" if
                                    * true */
};

/* Does the work `calls` times and reports the time taken. */
typedef enum status (*bench_sample)(void *user, unsigned calls, double *seconds);

/* Seconds per call: the median of at least 5 samples (3 with quick), after one call to warm up.
 * Work too short for the clock is repeated within a sample. Collective on ranks, with a sample that
 * is. */
enum status bench_median(const struct bench_options *options, bench_sample sample, void *user,
                         double *seconds);

/* The same for a function on the CPU, by the wall clock. */
enum status bench_median_cpu(const struct bench_options *options, void (*work)(void *user),
                             void *user, double *seconds);

enum bench_kind { BENCH_EMPTY, BENCH_NUMBER, BENCH_TEXT, BENCH_FAILED };

struct bench_cell {
    enum bench_kind kind;
    double number; /* BENCH_NUMBER */
    char *text;    /* BENCH_TEXT: the text; BENCH_FAILED: the reason; else NULL */
};

struct bench_column {
    const char *heading; /* "CUDA shared" */
    const char *unit;    /* "1e9/s", "ms"; "" for none */
    int digits;          /* significant digits of a number; 0: whole numbers */
    bool published;      /* a figure from the source, printed next to the measured ones */
    bool plotted;        /* as a y value */
};

enum { BENCH_NO_COLUMN = -1 };

/* Every plotted column makes one series over all rows or, with a group column, one series per text
 * in that column. Cells without a number leave a gap. Numbers in the x column make lines on
 * logarithmic axes, texts make bars. */
struct bench_plot_axes {
    int x;     /* column; BENCH_NO_COLUMN: this table is not plotted */
    int group; /* column or BENCH_NO_COLUMN */
};

struct bench_table {
    const char *suite; /* its name; not owned */
    char *title;
    size_t column_count;
    struct bench_column *columns; /* strings owned by the table */
    size_t row_count;
    struct bench_cell *cells; /* [row_count][column_count] */
    size_t note_count;
    char **notes; /* lines printed below the table */
    struct bench_plot_axes axes;
    struct bench_report *report; /* the report that the table belongs to */
};

/* Notified of results as soon as they are complete. Functions may be NULL. */
struct bench_watcher {
    void (*row)(void *user, const struct bench_table *table, size_t row);
    void (*table)(void *user, const struct bench_table *table);
    void *user;
};

struct bench_report {
    char *cpu, *cuda;                /* descriptions of the hardware; NULL if not used */
    size_t table_count, ready_count; /* the first ready_count tables are complete */
    struct bench_table **tables;
    struct bench_watcher watcher;
    struct load load;
};

/* Copies columns and title. The report owns the table; axes.x is initially BENCH_NO_COLUMN. */
struct bench_table *bench_add_table(struct bench_report *report, const char *suite,
                                    size_t column_count, const struct bench_column *columns,
                                    const char *title, ...) __attribute__((format(printf, 5, 6)));
void bench_add_note(struct bench_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Marks all tables so far as complete. If others used much of the machine since the last call, a
 * note is added to them: see bench_load_note. */
void bench_ready(struct bench_report *report);

/* Adds a row of empty cells, which completes the previous row. The setters fill the row added last;
 * they do nothing if there is no row or no such column. */
void bench_add_row(struct bench_table *table);
void bench_number(struct bench_table *table, size_t column, double value);
void bench_text(struct bench_table *table, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void bench_failed(struct bench_table *table, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the number if `status` is a success, or else this thread's error message as the reason. */
void bench_result(struct bench_table *table, size_t column, enum status status, double value);

const struct bench_cell *bench_cell(const struct bench_table *table, size_t row, size_t column);

/* A cell's text as it is printed: "" for an empty one, "failed: reason". */
void bench_cell_text(const struct bench_table *table, size_t row, size_t column, char *text,
                     size_t size);

void bench_report_free(struct bench_report *report);

/* True, with a note, if others have used the machine so much since `*since` that the figures are
 * unreliable, even if processors were idle. Updates `*since` to now; if it is all zero, only starts
 * measuring. */
bool bench_load_note(struct load *since, char *note, size_t size);

/* ---- output ---- */
/* Prints to standard output: the machine, then each table as it becomes ready. STATUS_IO if writing
 * fails. */
enum status bench_print_machine(const struct bench_report *report);
enum status bench_print_table(const struct bench_table *table);

/* Writes to the file, or to standard output if `path` is NULL. STATUS_IO if it cannot be
 * written. */
enum status bench_write_json(const struct bench_report *report, const char *path);

/* STATUS_USAGE unless the path ends in .svg; call it before long work. */
enum status bench_check_plot(const char *path);

/* Draws one chart for each table that has axes and numbers, one below the other, and the machine at
 * the foot; the file is replaced as a whole or not at all. STATUS_USAGE as above or if no table has
 * a number to plot, STATUS_IO if it cannot be written. */
enum status bench_plot(const struct bench_report *report, const char *path);
