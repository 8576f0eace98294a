/* Plots of tables. */
#include "tests/support/test.h"
#include "cmd/bench/plot.h"
#include "tests/support/sink_fixture.h"

#include <math.h>
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
    table->axes = (struct bench_plot_axes){.x = 0, .group = 1, .log_x = true, .log_y = true};
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
    table->axes = (struct bench_plot_axes){.x = 0, .group = BENCH_NO_COLUMN, .log_y = true};
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

static void groups_become_families(void **state)
{
    (void)state;
    struct bench_report report = {0};
    struct chart chart = bench_chart(add_grouped(&report));
    assert_int_equal(chart.series_count, 3);
    assert_int_equal(chart.family_count, 2);
    assert_string_equal(chart.series[0].name, "baseline");
    assert_string_equal(chart.series[2].name, "shared");
    assert_string_equal(chart.title, "a & b < c");
    assert_string_equal(chart.legend, "step");
    assert_string_equal(chart.x_title, "N");
    assert_string_equal(chart.y_title, "time, ms");
    assert_contains(chart.note, "published");
    assert_true(chart.series[1].dashed && chart.series[1].family == 0);
    const struct chart_series *shared = &chart.series[2];
    assert_true(!shared->dashed && shared->family == 1 && shared->count == 3);
    assert_true(shared->points[0][1] == 0.1 && isnan(shared->points[1][1]) &&
                shared->points[2][1] == 64);
    assert_true(shared->points[2][0] == 64000);
    assert_true(chart.log_x && chart.log_y);
    chart_free(&chart);
    bench_report_free(&report);
}

static void texts_become_categories(void **state)
{
    (void)state;
    static const char *const names[] = {"naive", "float4", "naive"};
    static const double values[] = {1, 2, 3};
    struct bench_report report = {0};
    struct chart chart = bench_chart(add_single(&report, names, 3, values));
    assert_int_equal(chart.category_count, 2);
    assert_string_equal(chart.categories[1], "float4");
    assert_string_equal(chart.y_title, "speed, steps/s");
    assert_string_equal(chart.note, "");
    assert_true(chart.series[0].points[2][0] == 0 && chart.series[0].points[2][1] == 3);
    chart_free(&chart);
    bench_report_free(&report);
}

static void columns_become_series(void **state)
{
    (void)state;
    const struct bench_column three[] = {{"N", "", 0, false, false},
                                         {"this machine", "1e9/s", 3, false, true},
                                         {"A100", "1e9/s", 3, true, true}};
    struct bench_report report = {0};
    struct bench_table *table = bench_add_table(&report, "s", 3, three, "rate");
    for (int k = 0; k < 2; k++) {
        bench_add_row(table);
        for (size_t c = 0; c < 3; c++)
            bench_number(table, c, (double)(k + 1));
    }
    struct chart chart = bench_chart(table);
    assert_int_equal(chart.series_count, 0); /* no axes yet */
    table->axes.x = 0;
    chart = bench_chart(table);
    assert_int_equal(chart.series_count, 2);
    assert_int_equal(chart.family_count, 2);
    assert_string_equal(chart.series[1].name, "A100");
    assert_true(chart.series[1].dashed);
    assert_string_equal(chart.y_title, "1e9/s");
    chart_free(&chart);
    bench_report_free(&report);
}

static void reports_are_written(void **state)
{
    static const double values[] = {1, 200};
    struct bench_report report = {.cpu = strdup("a processor"), .cuda = strdup("a device")};
    struct bench_report empty = {0};
    add_grouped(&report);
    add_single(&report, NULL, 2, values)->axes.x = BENCH_NO_COLUMN;
    assert_ok(bench_plot(&report, fixture_path(*state, "plot.svg")));
    assert_int_equal(fixture_count_files(*state), 1);
    assert_fails(bench_plot(&report, "plot.pdf"), STATUS_USAGE, ".svg .png");
    assert_fails(bench_plot(&report, fixture_path(*state, "none/plot.png")), STATUS_IO, "none");
    assert_fails(bench_plot(&empty, fixture_path(*state, "plot.png")), STATUS_USAGE, "plot");
    bench_add_row(bench_add_table(&empty, "s", 4, columns, "no number"));
    empty.tables[0]->axes.x = 0;
    assert_fails(bench_plot(&empty, fixture_path(*state, "plot.png")), STATUS_USAGE, "plot");
    assert_int_equal(fixture_count_files(*state), 1);
    bench_report_free(&empty);
    bench_report_free(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_become_families),
        cmocka_unit_test(texts_become_categories),
        cmocka_unit_test(columns_become_series),
        IN_FOLDER(reports_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
