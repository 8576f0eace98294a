/* Charts: scales and ticks, families of series, and that the files contain pictures. */
#include "tests/support/test.h"
#include "tests/support/sink_fixture.h"

#include "base/file.h"
#include "cmd/bench/chart/axis.h"
#include "cmd/bench/chart/chart.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

/* ---- axes ---- */

static void scales_hold_all_values(void **state)
{
    (void)state;
    static const struct {
        double values[3];
        bool log;
        const char *first, *last; /* labels of major ticks */
    } cases[] = {
        {{2, 3, 11}, true, "2", "10"},    {{0, 3, 11}, false, "0", "10"},
        {{-6, 3, 11}, false, "-5", "10"}, {{1e-9, 1, 1e9}, true, "1e-9", "1e9"},
        {{5, 5, 5}, true, "5", "5"},      {{0, 0, 0}, false, "0", "1"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct axis axis = axis_fit(3, cases[c].values, true, true, false);
        const char *first = NULL, *last = NULL;
        assert_int_equal(axis.log, cases[c].log);
        assert_true(axis.low <= cases[c].values[0] && axis.high >= cases[c].values[2]);
        for (size_t t = 0; t < axis.tick_count; t++) {
            double place = axis_place(&axis, axis.ticks[t].at);
            assert_true(place > -1e-6 && place < 1 + 1e-6);
            assert_true(t == 0 || axis.ticks[t].at > axis.ticks[t - 1].at);
            if (axis.ticks[t].major) {
                first = first ? first : axis.ticks[t].label;
                last = axis.ticks[t].label;
            }
        }
        assert_string_equal(first, cases[c].first);
        assert_string_equal(last, cases[c].last);
    }
}

static void few_values_are_the_ticks(void **state)
{
    (void)state;
    double values[30];
    for (int k = 0; k < 15; k++)
        values[k] = values[29 - k] = k < 3 ? 64000 / pow(10, k) : 16000;
    struct axis axis = axis_fit(30, values, true, false, true);
    assert_true(axis.log);
    assert_int_equal(axis.tick_count, 4);
    assert_string_equal(axis.ticks[0].label, "640");
    assert_string_equal(axis.ticks[2].label, "16,000");
    assert_string_equal(axis.ticks[3].label, "64,000");
    double previous = 0;
    for (size_t t = 0; t < 4; t++) {
        double place = axis_place(&axis, axis.ticks[t].at);
        assert_true(place > previous && place < 1);
        previous = place;
    }
    for (int k = 0; k < 15; k++)
        values[k] = 10 + k;
    axis = axis_fit(15, values, false, false, true);
    assert_string_equal(axis.ticks[0].label, "10");
    assert_string_equal(axis.ticks[1].label, "15");
    assert_true(isnan(axis_place(&(struct axis){.log = true, .low = 1, .high = 10}, 0)));
}

static void categories_begin_at_the_high_end(void **state)
{
    (void)state;
    static const char names[2][AXIS_LABEL] = {"naive", "float4"};
    struct axis axis = axis_categories(2, names);
    assert_int_equal(axis.tick_count, 2);
    assert_string_equal(axis.ticks[1].label, "float4");
    assert_true(axis_place(&axis, 0) == 0.75 && axis_place(&axis, 1) == 0.25);
}

/* ---- charts ---- */

static void series_of_one_name_are_a_family(void **state)
{
    (void)state;
    struct chart chart = {0};
    assert_int_equal(chart_add_series(&chart, "a", false)->family, 0);
    assert_int_equal(chart_add_series(&chart, "b", false)->family, 1);
    assert_int_equal(chart_add_series(&chart, "a", true)->family, 0);
    assert_int_equal(chart_add_series(&chart, "c", true)->family, 2);
    assert_int_equal(chart.family_count, 3);
    assert_int_equal(chart.series_count, 4);
    assert_true(chart_category(&chart, "x") == 0 && chart_category(&chart, "y") == 1);
    assert_true(chart_category(&chart, "x") == 0);
    chart_free(&chart);
    assert_int_equal(chart.series_count, 0);
}

/* A line with a gap and its dashed counterpart. */
static struct chart make_lines(void)
{
    struct chart chart = {.title = "a & b < c", .y_title = "time, ms", .legend = "step"};
    for (int dashed = 0; dashed < 2; dashed++) {
        struct chart_series *series = chart_add_series(&chart, "baseline", dashed);
        for (int k = 0; k < 6; k++)
            chart_add_point(series, 100 << k,
                            !dashed && k == 2 ? NAN : (1 + 4 * dashed) * (1 << k));
    }
    chart_add_point(chart_add_series(&chart, "shared", false), 400, 3);
    return chart;
}

static struct chart make_categories(void)
{
    static const char *const names[] = {"naive",
                                        "a name that is much longer than its place allows"};
    struct chart chart = {.title = "speed", .y_title = "steps/s", .note = "a note", .log_y = true};
    struct chart_series *series = chart_add_series(&chart, "speed", false);
    for (int k = 0; k < 2; k++)
        chart_add_point(series, chart_category(&chart, names[k]), 1 + 200 * k);
    return chart;
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

static const char *const notes[] = {"CPU: a processor", "CUDA: a device", NULL};

static void png_holds_the_chart(void **state)
{
    const char *path = fixture_path(*state, "one.PNG");
    struct chart charts[3] = {make_lines(), make_categories(), make_lines()};
    png_image image;
    assert_ok(chart_write(charts, 1, notes, "signature", path));
    png_byte *pixels = read_png(path, &image);
    assert_true(image.width == 1200 && image.height == 800);
    size_t all = (size_t)image.width * image.height;
    assert_true(count_colour(pixels, all, 255, 255, 255) > all * 8 / 10);
    /* The blue of the first family, the orange of the second, the colour of the text. */
    assert_true(count_colour(pixels, all, 0, 115, 179) > 1000);
    assert_true(count_colour(pixels, all, 214, 94, 0) > 100);
    assert_true(count_colour(pixels, all, 33, 33, 33) > 200);
    free(pixels);

    assert_ok(chart_write(charts, 3, notes + 2, "", path));
    free(read_png(path, &image));
    assert_true(image.width == 2000 && image.height == 2 * 680 + 60);
    assert_int_equal(fixture_count_files(*state), 1);
    for (int c = 0; c < 3; c++)
        chart_free(&charts[c]);
}

static void svg_holds_the_chart(void **state)
{
    const char *path = fixture_path(*state, "plot.svg");
    struct chart charts[2] = {make_lines(), make_categories()};
    char *text;
    size_t size;
    assert_ok(chart_write(charts, 2, notes, "signature", path));
    assert_ok(file_read(path, 1 << 24, &text, &size));
    assert_true(strncmp(text, "<?xml version=\"1.0\"", 19) == 0);
    assert_contains(text, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    assert_string_equal(text + size - 7, "</svg>\n");
    assert_contains(text, "stroke-dasharray");
    free(text);
    chart_free(&charts[0]);
    chart_free(&charts[1]);
}

static void refusals_leave_no_file(void **state)
{
    struct chart chart = make_lines();
    static const char *const wrong[] = {"plot.pdf", "plot", "plot.svg.gz"};
    for (int k = 0; k < 3; k++) {
        assert_fails(chart_check_path(wrong[k]), STATUS_USAGE, ".svg .png");
        assert_fails(chart_write(&chart, 1, notes, "", wrong[k]), STATUS_USAGE, wrong[k]);
    }
    assert_ok(chart_check_path("a.SVG"));
    assert_fails(chart_write(&chart, 1, notes, "", fixture_path(*state, "none/plot.png")),
                 STATUS_IO, "none");
    assert_fails(chart_write(&chart, 1, notes, "", fixture_path(*state, "none/plot.svg")),
                 STATUS_IO, "none");
    assert_int_equal(fixture_count_files(*state), 0);
    chart_free(&chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_hold_all_values),
        cmocka_unit_test(few_values_are_the_ticks),
        cmocka_unit_test(categories_begin_at_the_high_end),
        cmocka_unit_test(series_of_one_name_are_a_family),
        IN_FOLDER(png_holds_the_chart),
        IN_FOLDER(svg_holds_the_chart),
        IN_FOLDER(refusals_leave_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
