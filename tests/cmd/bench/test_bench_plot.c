/* Plots of tables. */
#include "tests/support/test.h"
#include "base/file.h"
#include "cmd/bench/table.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct bench_column columns[] = {
    {"N", "", 0, false, false},
    {"step", "", 0, false, false},
    {"time", "ms", 3, false, true},
    {"time", "ms", 3, true, true},
};

/* Two steps, three counts; the second step failed once and has no published figure. */
static struct bench_table *add_grouped(struct bench_report *report)
{
    static const double at[] = {100, 1000, 64000};
    struct bench_table *table = bench_add_table(report, "s", 4, columns, "a & b < c");
    table->axes = (struct bench_plot_axes){.x = 0, .group = 1};
    for (int k = 0; k < 3; k++)
        for (int step = 0; step < 2; step++) {
            bench_add_row(table);
            bench_number(table, 0, at[k]);
            bench_text(table, 1, "%s", step ? "shared" : "baseline");
            bench_number(table, 2, (step ? 1 : 5) * at[k] / 1000);
            if (step && k == 1)
                bench_failed(table, 2, "error 1");
            if (!step)
                bench_number(table, 3, at[k] / 10);
        }
    return table;
}

/* One column against `names` or against 0, 1, 2, ... where they are NULL. */
static struct bench_table *add_single(struct bench_report *report, const char *const *names,
                                      size_t count, const double *values)
{
    const struct bench_column two[] = {{"shape", "", 0, false, false},
                                       {"speed", "steps/s", 3, false, true}};
    struct bench_table *table = bench_add_table(report, "s", 2, two, "speed");
    table->axes = (struct bench_plot_axes){.x = 0, .group = BENCH_NO_COLUMN};
    for (size_t k = 0; k < count; k++) {
        bench_add_row(table);
        if (names)
            bench_text(table, 0, "%s", names[k]);
        else
            bench_number(table, 0, (double)k);
        bench_number(table, 1, values[k]);
    }
    return table;
}

static void has(const char *text, const char *part, int times)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        found++;
    if (found != times)
        fail_msg("'%s' is there %d times instead of %d:\n%s", part, found, times, text);
}

static char *plot(struct bench_report *report, const char *path)
{
    size_t size;
    char *text = NULL;
    assert_ok(bench_plot(report, path));
    assert_ok(file_read(path, 1 << 20, &text, &size));
    return text;
}

/* A line per group and column with its points; a failed cell leaves a gap; text is escaped. */
TEST(groups_become_lines)
{
    struct bench_report report = {0};
    add_grouped(&report);
    char *text = plot(&report, fixture_path(*state, "a.svg"));
    has(text, "s: a &#38; b &#60; c<", 1);
    has(text, ">baseline<", 1);
    has(text, ">baseline (published)<", 1);
    has(text, ">shared<", 1);
    has(text, "fill='none'", 3);
    has(text, "<circle", 8 + 3); /* and one per name */
    has(text, "fill='#fff' stroke", 3 + 1);
    has(text, ">10,000<", 1);
    has(text, ">N<", 1);
    has(text, ">ms<", 1);
    free(text);
    bench_report_free(&report);
}

/* The longest bar is at the right end of the plot, and half the number is half as long. */
TEST(texts_become_bars)
{
    static const char *const names[] = {"naive", "float4", "tile"};
    static const double values[] = {1, 2, 4};
    struct bench_report report = {0};
    add_single(&report, names, 3, values);
    char *text = plot(&report, fixture_path(*state, "a.svg"));
    has(text, "<rect x=", 3);
    has(text, ">float4<", 1);
    has(text, ">4.00 speed<", 1);
    double width[3];
    const char *at = text;
    for (int k = 0; k < 3; k++) {
        at = strstr(at, "<rect x=") + 1;
        width[k] = strtod(strstr(at, "width='") + 7, NULL);
    }
    assert_true(fabs(width[1] - 2 * width[0]) < 0.2 && fabs(width[2] - 4 * width[0]) < 0.3);
    assert_true(width[2] > 400 && width[2] < 620);
    free(text);
    bench_report_free(&report);
}

TEST(reports_are_written)
{
    static const double values[] = {1, 200};
    struct bench_report report = {.cpu = strdup("a processor"), .cuda = strdup("a device")};
    struct bench_report empty = {0};
    add_grouped(&report);
    add_single(&report, NULL, 2, values)->axes.x = BENCH_NO_COLUMN;
    assert_ok(bench_plot(&report, fixture_path(*state, "plot.svg")));
    assert_int_equal(fixture_count_files(*state), 1);
    assert_fails(bench_plot(&report, "plot.png"), STATUS_USAGE, ".svg");
    assert_fails(bench_plot(&report, fixture_path(*state, "none/plot.svg")), STATUS_IO, "none");
    assert_fails(bench_plot(&empty, fixture_path(*state, "empty.svg")), STATUS_USAGE, "plot");
    bench_add_row(bench_add_table(&empty, "s", 4, columns, "no number"));
    empty.tables[0]->axes.x = 0;
    assert_fails(bench_plot(&empty, fixture_path(*state, "empty.svg")), STATUS_USAGE, "plot");
    assert_int_equal(fixture_count_files(*state), 1);
    bench_report_free(&empty);
    bench_report_free(&report);
}

TESTS_EACH(fixture_setup, fixture_teardown)
