/* Charts of a report's tables as SVG: lines on logarithmic axes where a table counts along x, bars
 * where it names. */
#include "cmd/bench/table.h"

#include "base/file.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In pixels: the page, a line's plot and the rows of bars. */
enum { WIDTH = 1100, HEIGHT = 520, LEFT = 90, RIGHT = 800, TOP = 80, BOTTOM = 450, BAR = 18 };
enum { NAME_MAX = 160 };

static const char *const colours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e",
                                      "#17becf", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22"};

struct chart {
    FILE *out;
    const struct bench_table *table;
    double low[2], high[2]; /* of x and y, as logarithms; bars: y from 0 */
    size_t measured;        /* columns that are plotted and not published */
    size_t names;           /* in the legend so far */
};

static double number(const struct bench_table *table, size_t row, size_t column)
{
    const struct bench_cell *cell = bench_cell(table, row, column);
    return cell->kind == BENCH_NUMBER && isfinite(cell->number) ? cell->number : NAN;
}

static bool has_bars(const struct bench_table *table)
{
    return table->row_count > 0 && bench_cell(table, 0, (size_t)table->axes.x)->kind == BENCH_TEXT;
}

/* Text with the markup's own characters escaped. `anchor`: start, middle or end. */
static void put_text(FILE *out, double x, double y, const char *anchor, const char *text)
{
    fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='%s'>", x, y, anchor);
    for (; *text; text++)
        if (strchr("<>&'", *text))
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
    fputs("</text>\n", out);
}

static void put_line(FILE *out, double x0, double y0, double x1, double y1)
{
    fprintf(out, "<path class='grid' d='M%.1f %.1fL%.1f %.1f'/>\n", x0, y0, x1, y1);
}

/* ---- series ---- */

static bool same_group(const struct bench_table *table, size_t a, size_t b)
{
    char text[2][NAME_MAX];
    if (table->axes.group == BENCH_NO_COLUMN)
        return true;
    bench_cell_text(table, a, (size_t)table->axes.group, text[0], NAME_MAX);
    bench_cell_text(table, b, (size_t)table->axes.group, text[1], NAME_MAX);
    return strcmp(text[0], text[1]) == 0;
}

/* The group's text, the column's heading, or both. */
static void name_series(const struct chart *chart, size_t row, size_t column, char name[NAME_MAX])
{
    const struct bench_table *table = chart->table;
    char group[NAME_MAX] = "";
    const bool grouped = table->axes.group != BENCH_NO_COLUMN;
    if (grouped)
        bench_cell_text(table, row, (size_t)table->axes.group, group, sizeof group);
    const char *heading = grouped && chart->measured == 1 ? "" : table->columns[column].heading;
    snprintf(name, NAME_MAX, "%.40s%s%.40s%s", group, *group && *heading ? ", " : "", heading,
             table->columns[column].published ? " (published)" : "");
}

static double across(const struct chart *chart, double x)
{
    return LEFT + (RIGHT - LEFT) * (log10(x) - chart->low[0]) / (chart->high[0] - chart->low[0]);
}

static double up(const struct chart *chart, double y)
{
    return BOTTOM - (BOTTOM - TOP) * (log10(y) - chart->low[1]) / (chart->high[1] - chart->low[1]);
}

/* One line with its points and its name, from the rows of the first row's group. */
static void put_series(struct chart *chart, size_t first, size_t column)
{
    const struct bench_table *table = chart->table;
    const char *const colour = colours[chart->names % (sizeof colours / sizeof *colours)];
    const char *const fill = table->columns[column].published ? "#fff" : colour;
    char name[NAME_MAX];
    size_t size, points = 0;
    char *path = NULL;
    FILE *line = text_begin(&path, &size);
    bool pen_down = false;
    for (size_t r = first; r < table->row_count; r++) {
        const double x = number(table, r, (size_t)table->axes.x), y = number(table, r, column);
        if (!same_group(table, first, r))
            continue;
        const bool there = x > 0 && y > 0;
        if (there) {
            fprintf(line, "%c%.1f %.1f", pen_down ? 'L' : 'M', across(chart, x), up(chart, y));
            fprintf(chart->out, "<circle cx='%.1f' cy='%.1f' r='4' fill='%s' stroke='%s'/>\n",
                    across(chart, x), up(chart, y), fill, colour);
            points++;
        }
        pen_down = there;
    }
    text_end(line);
    if (points > 0) {
        const double y = TOP + 22.0 * (double)++chart->names;
        name_series(chart, first, column, name);
        fprintf(chart->out, "<path d='%s' fill='none' stroke='%s' stroke-width='2'/>\n", path,
                colour);
        fprintf(chart->out, "<circle cx='%d' cy='%.1f' r='4' fill='%s' stroke='%s'/>\n", RIGHT + 25,
                y - 5, fill, colour);
        put_text(chart->out, RIGHT + 38, y, "start", name);
    }
    free(path);
}

/* ---- axes ---- */

static void label(const struct chart *chart, int axis, double value)
{
    char text[NAME_MAX];
    if (value >= 1 && value < 1e7 && value == floor(value))
        text_whole(text, sizeof text, value);
    else
        snprintf(text, sizeof text, "%g", value);
    if (axis == 0) {
        put_line(chart->out, across(chart, value), TOP, across(chart, value), BOTTOM);
        put_text(chart->out, across(chart, value), BOTTOM + 20, "middle", text);
    } else {
        put_line(chart->out, LEFT, up(chart, value), RIGHT, up(chart, value));
        put_text(chart->out, LEFT - 8, up(chart, value) + 5, "end", text);
    }
}

/* Labels at 1, 2 and 5 times powers of ten; over more than three decades the powers alone. */
static void put_axis(const struct chart *chart, int axis)
{
    static const double steps[] = {1, 2, 5};
    const double low = chart->low[axis], high = chart->high[axis];
    for (double e = floor(low); e <= high; e++)
        for (int s = 0; s < (high - low > 3 ? 1 : 3); s++)
            if (e + log10(steps[s]) >= low && e + log10(steps[s]) <= high)
                label(chart, axis, steps[s] * pow(10, e));
}

static void widen(struct chart *chart, int axis, double value)
{
    if (!(value > 0))
        return;
    chart->low[axis] = fmin(chart->low[axis], log10(value) - 0.08);
    chart->high[axis] = fmax(chart->high[axis], log10(value) + 0.08);
}

/* ---- charts ---- */

static double put_lines(struct chart *chart)
{
    const struct bench_table *table = chart->table;
    const struct bench_column *x = &table->columns[table->axes.x];
    char title[NAME_MAX];
    put_axis(chart, 0);
    put_axis(chart, 1);
    snprintf(title, sizeof title, "%.60s%s%.60s", x->heading, *x->unit ? ", " : "", x->unit);
    put_text(chart->out, (LEFT + RIGHT) / 2.0, BOTTOM + 45, "middle", title);
    for (size_t r = 0; r < table->row_count; r++) {
        size_t first = 0;
        while (!same_group(table, first, r))
            first++;
        for (size_t c = 0; first == r && c < table->column_count; c++)
            if (table->columns[c].plotted)
                put_series(chart, r, c);
    }
    return HEIGHT;
}

/* A bar per row and plotted column, from zero to the right. */
static double put_bars(struct chart *chart)
{
    const struct bench_table *table = chart->table;
    double y = TOP;
    for (size_t r = 0; r < table->row_count; r++, y += BAR)
        for (size_t c = 0, named = 0; c < table->column_count; c++) {
            const double value = number(table, r, c);
            char text[NAME_MAX];
            if (!table->columns[c].plotted || !(value > 0))
                continue;
            if (!named++)
                put_text(chart->out, 2 * LEFT - 8, y + BAR - 4, "end",
                         bench_cell(table, r, (size_t)table->axes.x)->text);
            const double width = (RIGHT - 2 * LEFT) * value / pow(10, chart->high[1]);
            fprintf(chart->out, "<rect x='%d' y='%.1f' width='%.1f' height='%d' fill='%s'/>\n",
                    2 * LEFT, y, width, BAR - 3, colours[c % (sizeof colours / sizeof *colours)]);
            bench_cell_text(table, r, c, text, sizeof text);
            snprintf(text + strlen(text), sizeof text - strlen(text), " %.60s",
                     table->columns[c].heading);
            put_text(chart->out, 2 * LEFT + width + 8, y + BAR - 4, "start", text);
            y += BAR;
        }
    return y + BAR;
}

/* Draws the table, and returns the chart's height: 0 without axes or numbers. */
static double put_chart(FILE *out, const struct bench_table *table, double top)
{
    struct chart chart = {out, table, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, 0, 0};
    const char *unit = "";
    char title[2 * NAME_MAX];
    if (table->axes.x == BENCH_NO_COLUMN)
        return 0;
    for (size_t c = 0; c < table->column_count; c++)
        if (table->columns[c].plotted) {
            unit = table->columns[c].unit;
            chart.measured += !table->columns[c].published;
            for (size_t r = 0; r < table->row_count; r++) {
                widen(&chart, 1, number(table, r, c));
                if (number(table, r, c) > 0)
                    widen(&chart, 0, number(table, r, (size_t)table->axes.x));
            }
        }
    if (!isfinite(chart.low[1]))
        return 0;
    fprintf(out, "<g transform='translate(0 %.1f)'>\n", top);
    snprintf(title, sizeof title, "%s: %.200s", table->suite, table->title);
    put_text(out, 20, 36, "start", title);
    put_text(out, 20, 60, "start", unit);
    const double height = has_bars(table) ? put_bars(&chart) : put_lines(&chart);
    fputs("</g>\n", out);
    return height;
}

enum status bench_check_plot(const char *path)
{
    if (strcmp(file_extension(path), "svg") == 0)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "a chart is written as .svg, and '%s' does not end in that; name FILE.svg",
                       path);
}

enum status bench_plot(const struct bench_report *report, const char *path)
{
    char *body = NULL, *page = NULL;
    size_t size;
    double height = 0;
    enum status status = bench_check_plot(path);
    if (status != STATUS_OK)
        return status;
    FILE *out = text_begin(&body, &size);
    for (size_t t = 0; t < report->table_count; t++)
        height += put_chart(out, report->tables[t], height);
    text_end(out);
    if (height == 0) {
        free(body);
        return status_fail(STATUS_USAGE,
                           "there is nothing to plot in '%s': no table of this run has axes and a "
                           "number; choose another suite",
                           path);
    }
    out = text_begin(&page, &size);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%.0f' "
            "font-family='sans-serif' font-size='14'>\n<style>.grid{stroke:#ddd}</style>\n"
            "<rect width='100%%' height='100%%' fill='#fff'/>\n%s",
            WIDTH, height + 60, body);
    if (report->cpu)
        put_text(out, 20, height + 20, "start", report->cpu);
    if (report->cuda)
        put_text(out, 20, height + 40, "start", report->cuda);
    put_text(out, WIDTH - 20, height + 40, "end", "gravreel " GRAVREEL_VERSION " bench");
    fputs("</svg>\n", out);
    text_end(out);
    status = file_write(path, page, strlen(page));
    free(body);
    free(page);
    return status;
}
