/* Plots: what a table becomes, and that the files hold pictures. */
#include "tests/support/test.h"
#include "base/file.h"
#include "cmd/bench/plot/plot.h"
#include "cmd/bench/plot/panel.h"
#include "tests/support/sink_fixture.h"

#include <math.h>
#include <png.h>
#include <string.h>

static const struct bench_column columns[] = {
    {"N", "", 0, false, false},
    {"step", "", 0, false, false},
    {"time", "ms", 3, false, true},
    {"time", "ms", 3, true, true},
};

/* Two steps, three counts; the second step failed once and was published never. */
static struct bench_table *add_grouped(struct bench_report *report)
{
    static const double at[] = {100, 1000, 64000};
    struct bench_table *table = bench_add_table(report, "s", "a & b < c", 4, columns);
    assert_non_null(table);
    table->axes = (struct bench_plot_axes){.x = 0, .group = 1, .log_x = true, .log_y = true};
    for (int k = 0; k < 3; k++)
        for (int step = 0; step < 2; step++) {
            bench_add_row(report, table);
            bench_number(table, 0, at[k]);
            bench_text(report, table, 1, "%s", step ? "shared" : "baseline");
            bench_number(table, 2, (step ? 1 : 5) * at[k] / 1000);
            if (step && k == 1)
                bench_failed(report, table, 2, "error 1");
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
    struct bench_table *table = bench_add_table(report, "s", "speed", 2, two);
    assert_non_null(table);
    table->axes = (struct bench_plot_axes){.x = 0, .group = BENCH_NO_COLUMN, .log_y = true};
    for (size_t k = 0; k < count; k++) {
        bench_add_row(report, table);
        if (names)
            bench_text(report, table, 0, "%s", names[k]);
        else
            bench_number(table, 0, (double)k);
        bench_number(table, 1, values[k]);
    }
    return table;
}

static void test_series(void **state)
{
    (void)state;
    struct bench_report report = {0};
    struct plot_panel panel;
    assert_true(plot_panel_make(&panel, add_grouped(&report)));
    assert_int_equal(panel.series_count, 3);
    assert_int_equal(panel.family_count, 2);
    assert_string_equal(panel.families[0], "baseline");
    assert_string_equal(panel.families[1], "shared");
    assert_string_equal(panel.legend_title, "step");
    assert_string_equal(panel.y.title, "time, ms");
    assert_true(panel.measured && panel.published);
    assert_true(panel.series[1].published && panel.series[1].family == 0);
    const struct plot_series *shared = &panel.series[2];
    assert_true(!shared->published && shared->family == 1 && shared->count == 3);
    assert_true(shared->y[0] == 0.1 && isnan(shared->y[1]) && shared->y[2] == 64);
    assert_true(panel.x.log && panel.y.log);
    assert_int_equal(panel.x.tick_count, 3);
    assert_string_equal(panel.x.ticks[2].label, "64,000");
    double previous = 0;
    for (int k = 0; k < 3; k++) {
        double place = plot_place(&panel.x, panel.x.ticks[k].at);
        assert_true(place > previous && place < 1);
        previous = place;
    }
    for (size_t t = 0; t < panel.y.tick_count; t++)
        if (panel.y.ticks[t].major)
            assert_true(fabs(remainder(log10(panel.y.ticks[t].at), 1)) < 1e-9);
    plot_panel_free(&panel);
    bench_report_free(&report);
}

static void test_scales(void **state)
{
    (void)state;
    static const struct {
        double values[3];
        bool log;
        const char *first, *last; /* labels with a name */
    } cases[] = {
        {{2, 3, 11}, true, "2", "10"},    {{0, 3, 11}, false, "0", "10"},
        {{-6, 3, 11}, false, "-5", "10"}, {{1e-9, 1, 1e9}, true, "1e-9", "1e9"},
        {{5, 5, 5}, true, "5", "5"},      {{0, 0, 0}, false, "0", "1"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct bench_report report = {0};
        struct plot_panel panel;
        const char *first = NULL, *last = NULL;
        assert_true(plot_panel_make(&panel, add_single(&report, NULL, 3, cases[c].values)));
        assert_int_equal(panel.y.log, cases[c].log);
        assert_true(panel.y.low <= cases[c].values[0] && panel.y.high >= cases[c].values[2]);
        for (size_t t = 0; t < panel.y.tick_count; t++) {
            double place = plot_place(&panel.y, panel.y.ticks[t].at);
            assert_true(place > -1e-6 && place < 1 + 1e-6);
            if (panel.y.ticks[t].major) {
                first = first ? first : panel.y.ticks[t].label;
                last = panel.y.ticks[t].label;
            }
        }
        assert_string_equal(first, cases[c].first);
        assert_string_equal(last, cases[c].last);
        plot_panel_free(&panel);
        bench_report_free(&report);
    }
}

static void test_categories(void **state)
{
    (void)state;
    static const char *const names[] = {"naive", "float4", "naive"};
    static const double values[] = {1, 2, 3};
    struct bench_report report = {0};
    struct plot_panel panel;
    assert_true(plot_panel_make(&panel, add_single(&report, names, 3, values)));
    assert_true(panel.x.category);
    assert_int_equal(panel.x.tick_count, 2);
    assert_string_equal(panel.x.ticks[1].label, "float4");
    assert_true(panel.series[0].x[2] == 0 && panel.series[0].y[2] == 3);
    plot_panel_free(&panel);
    bench_report_free(&report);
}

static struct bench_report make_report(void)
{
    static const char *const names[] = {"naive",
                                        "a name that is much longer than its place allows"};
    static const double values[] = {1, 200};
    struct bench_report report = {.cpu = strdup("a processor"), .cuda = strdup("a device")};
    add_grouped(&report);
    add_single(&report, names, 2, values);
    add_single(&report, NULL, 2, values)->axes.x = BENCH_NO_COLUMN;
    add_single(&report, NULL, 1, values);
    assert_false(report.short_of_memory);
    return report;
}

/* Pixels of a colour, each channel within 2 of 255. */
static size_t count_colour(const png_byte *pixels, size_t count, int r, int g, int b)
{
    size_t found = 0;
    for (const png_byte *p = pixels; p < pixels + 3 * count; p += 3)
        found += abs(p[0] - r) <= 2 && abs(p[1] - g) <= 2 && abs(p[2] - b) <= 2;
    return found;
}

static png_byte *read_png(const char *path, png_image *image)
{
    *image = (png_image){.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(image, path));
    image->format = PNG_FORMAT_RGB;
    png_byte *pixels = malloc(PNG_IMAGE_SIZE(*image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(image, NULL, pixels, 0, NULL));
    return pixels;
}

static void test_png(void **state)
{
    (void)state;
    char *folder = fixture_folder();
    const char *path = fixture_path(folder, "one.PNG");
    struct bench_report report = {0};
    png_image image;
    add_grouped(&report);
    assert_ok(bench_plot(&report, path));
    png_byte *pixels = read_png(path, &image);
    assert_true(image.width == 1200 && image.height == 800);
    size_t all = (size_t)image.width * image.height;
    assert_true(count_colour(pixels, all, 255, 255, 255) > all * 8 / 10);
    /* The blue of the first family, the orange of the second, the ink of the words. */
    assert_true(count_colour(pixels, all, 0, 115, 179) > 1000);
    assert_true(count_colour(pixels, all, 214, 94, 0) > 200);
    assert_true(count_colour(pixels, all, 33, 33, 33) > 200);
    free(pixels);
    bench_report_free(&report);

    report = make_report();
    assert_ok(bench_plot(&report, path));
    free(read_png(path, &image));
    assert_true(image.width == 2000 && image.height > 1300);
    assert_int_equal(fixture_count_files(folder), 1);
    bench_report_free(&report);
    fixture_remove_folder(folder);
}

static void test_svg(void **state)
{
    (void)state;
    char *folder = fixture_folder(), *text;
    const char *path = fixture_path(folder, "plot.svg");
    struct bench_report report = make_report();
    size_t size;
    assert_ok(bench_plot(&report, path));
    assert_ok(file_read(path, 1 << 24, &text, &size));
    assert_true(strncmp(text, "<?xml version=\"1.0\"", 19) == 0);
    assert_non_null(strstr(text, "<svg xmlns=\"http://www.w3.org/2000/svg\""));
    assert_string_equal(text + size - 7, "</svg>\n");
    assert_non_null(strstr(text, "stroke-dasharray"));
    free(text);
    bench_report_free(&report);
    fixture_remove_folder(folder);
}

static void test_refusals(void **state)
{
    (void)state;
    char *folder = fixture_folder();
    struct bench_report report = make_report(), empty = {0};
    assert_fails(bench_plot(&report, "plot.pdf"), STATUS_USAGE, "is neither");
    assert_fails(bench_plot(&report, "plot"), STATUS_USAGE, ".svg or .png");
    assert_fails(bench_plot(&report, fixture_path(folder, "none/plot.png")), STATUS_IO, "none");
    assert_fails(bench_plot(&report, fixture_path(folder, "none/plot.svg")), STATUS_IO, "none");
    assert_fails(bench_plot(&empty, fixture_path(folder, "plot.png")), STATUS_USAGE,
                 "nothing to plot");
    bench_add_row(&empty, bench_add_table(&empty, "s", "no number", 4, columns));
    empty.tables[0]->axes.x = 0;
    assert_fails(bench_plot(&empty, fixture_path(folder, "plot.png")), STATUS_USAGE,
                 "nothing to plot");
    assert_int_equal(fixture_count_files(folder), 0);
    bench_report_free(&empty);
    bench_report_free(&report);
    fixture_remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_series),     cmocka_unit_test(test_scales),
        cmocka_unit_test(test_categories), cmocka_unit_test(test_png),
        cmocka_unit_test(test_svg),        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
