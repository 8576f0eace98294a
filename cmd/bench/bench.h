/* `gravreel bench`: suites, what they are asked for, and the tables that they fill.
 *
 * A suite is a const table entry at the end of its own file, listed in bench_suites. It adds tables
 * to a report; the report is then printed, written as JSON and plotted, each by its own file, so
 * that a suite knows nothing of output. Not thread-safe. */
#ifndef CMD_BENCH_BENCH_H
#define CMD_BENCH_BENCH_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- what is asked for ---- */

struct bench_options {
    size_t count;                  /* of bodies, from -n; 0: the suite's own */
    bool quick;                    /* fewer and smaller cases, 3 samples instead of 5 */
    bool cpu, cuda;                /* which rungs to run: asked for and usable here */
    int device;                    /* CUDA device ordinal */
    char no_cuda[STATUS_TEXT_MAX]; /* why cuda is false, for a note of the suite; "" when true */
};

/* ---- results ---- */

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
    bool published;      /* from the source, printed beside ours, not measured here */
    bool plotted;        /* as a y value */
};

enum { BENCH_NO_COLUMN = -1 };

/* Every plotted column makes one series over all rows; with a group column, one for each text that
 * stands there. Cells that are no numbers leave a gap. An x column of texts is a category axis. */
struct bench_plot_axes {
    int x;     /* column; BENCH_NO_COLUMN: this table is not plotted */
    int group; /* column or BENCH_NO_COLUMN */
    bool log_x, log_y;
};

struct bench_table {
    char *suite, *title;
    size_t column_count;
    struct bench_column *columns; /* strings owned by the table */
    size_t row_count;
    struct bench_cell *cells; /* [row_count][column_count] */
    size_t note_count;
    char **notes; /* lines printed below the table */
    struct bench_plot_axes axes;
};

struct bench_report {
    char *cpu, *cuda; /* the machine in words; cuda NULL when there is none */
    size_t table_count;
    struct bench_table **tables;
    bool short_of_memory; /* something was dropped: the report is useless */
};

/* Everything is copied. A lack of memory sets short_of_memory and returns NULL, which every
 * function below accepts, so that suites need not check. axes.x begins as BENCH_NO_COLUMN. */
struct bench_table *bench_add_table(struct bench_report *report, const char *suite,
                                    const char *title, size_t column_count,
                                    const struct bench_column *columns);
void bench_add_note(struct bench_report *report, struct bench_table *table, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A row of empty cells; the setters fill the row added last. */
void bench_add_row(struct bench_report *report, struct bench_table *table);
void bench_number(struct bench_table *table, size_t column, double value);
void bench_text(struct bench_report *report, struct bench_table *table, size_t column,
                const char *format, ...) __attribute__((format(printf, 4, 5)));
void bench_failed(struct bench_report *report, struct bench_table *table, size_t column,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

const struct bench_cell *bench_cell(const struct bench_table *table, size_t row, size_t column);

/* A cell's text as it is printed: "" for an empty one, "failed: reason". */
void bench_cell_text(const struct bench_table *table, size_t row, size_t column, char *text,
                     size_t size);

void bench_report_free(struct bench_report *report);

/* STATUS_IO when it cannot be written. `path` NULL: the standard output. */
enum status bench_print(const struct bench_report *report);
enum status bench_write_json(const struct bench_report *report, const char *path);

/* ---- suites ---- */

struct bench_suite {
    const char *name;
    const char *doc;    /* one line */
    const char *source; /* where the published figures come from; "" for our own */
    /* A rung that fails is a failed cell, not a failed suite. */
    enum status (*run)(const struct bench_options *options, struct bench_report *report);
};

extern const struct bench_suite bench_gems3, bench_evl2008, bench_bondarenko, bench_stride,
    bench_solver, bench_draw, bench_pipeline;
extern const struct bench_suite *const bench_suites[]; /* NULL-terminated */

/* STATUS_USAGE, with the nearest name, when there is none of that name. */
enum status bench_find_suite(const char *name, const struct bench_suite **suite);

/* ---- timing ---- */

/* Does the work `calls` times and says how long that took. */
typedef enum status (*bench_sample)(void *user, unsigned calls, double *seconds);

/* The median of at least 5 samples (3 with quick), a call, after one call to warm up. Work too
 * short for the clock is repeated within a sample. */
enum status bench_median(const struct bench_options *options, bench_sample sample, void *user,
                         double *seconds);

/* The same for a function of the CPU, by the wall clock. */
enum status bench_median_cpu(const struct bench_options *options, void (*work)(void *user),
                             void *user, double *seconds);

#endif
