#include "cmd/bench/plot.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The group of a row; "" for a table without groups, so that all rows are one group. */
static const char *group_text(const struct bench_table *table, size_t row, char text[CHART_NAME])
{
    text[0] = '\0';
    if (table->axes.group != BENCH_NO_COLUMN)
        bench_cell_text(table, row, (size_t)table->axes.group, text, CHART_NAME);
    return text;
}

static bool same_group(const struct bench_table *table, size_t row, size_t other)
{
    char a[CHART_NAME], b[CHART_NAME];
    return strcmp(group_text(table, row, a), group_text(table, other, b)) == 0;
}

static bool first_of_group(const struct bench_table *table, size_t row)
{
    size_t first = 0;
    while (!same_group(table, first, row))
        first++;
    return first == row;
}

static double cell_number(const struct bench_cell *cell)
{
    return cell->kind == BENCH_NUMBER && isfinite(cell->number) ? cell->number : NAN;
}

static double x_value(struct chart *chart, const struct bench_table *table, size_t row)
{
    char text[CHART_NAME];
    if (chart->category_count == 0)
        return cell_number(bench_cell(table, row, (size_t)table->axes.x));
    bench_cell_text(table, row, (size_t)table->axes.x, text, sizeof text);
    return chart_category(chart, text);
}

/* Adds the column's number to the series of the row's group, unless the cell has no number. If only
 * one column was measured, series are named after their group alone, so that the published figures
 * of a group share its colour. */
static void add_series(struct chart *chart, const struct bench_table *table, size_t column,
                       size_t row, size_t measured)
{
    const struct bench_column *head = &table->columns[column];
    char group[CHART_NAME], name[2 * CHART_NAME];
    struct chart_series *series = NULL;
    if (!group_text(table, row, group)[0])
        snprintf(name, sizeof name, "%s", head->heading);
    else
        snprintf(name, sizeof name, "%.30s%s%.30s", group, measured > 1 ? ", " : "",
                 measured > 1 ? head->heading : "");
    for (size_t r = row; r < table->row_count; r++) {
        double x = x_value(chart, table, r), y = cell_number(bench_cell(table, r, column));
        if (!same_group(table, row, r) || isnan(x))
            continue;
        if (!series && !isnan(y))
            series = chart_add_series(chart, name, head->published);
        if (series)
            chart_add_point(series, x, y);
    }
}

static void name_axis(char title[CHART_TITLE], const char *heading, const char *unit)
{
    snprintf(title, CHART_TITLE, "%.60s%s%.60s", heading, heading[0] && unit[0] ? ", " : "", unit);
}

struct chart bench_chart(const struct bench_table *table)
{
    const struct bench_plot_axes *axes = &table->axes;
    struct chart chart = {.log_x = axes->log_x, .log_y = axes->log_y};
    if (axes->x == BENCH_NO_COLUMN)
        return chart;
    const struct bench_column *x = &table->columns[axes->x], *columns = table->columns;
    const char *heading = NULL, *unit = NULL;
    size_t measured = 0;
    bool published = false, text = false;
    for (size_t c = 0; c < table->column_count; c++) {
        if (!columns[c].plotted)
            continue;
        heading = !heading || strcmp(heading, columns[c].heading) == 0 ? columns[c].heading : "";
        unit = !unit || strcmp(unit, columns[c].unit) == 0 ? columns[c].unit : "";
        measured += !columns[c].published;
    }
    snprintf(chart.title, sizeof chart.title, "%s", table->title);
    name_axis(chart.x_title, x->heading, x->unit);
    name_axis(chart.y_title, heading ? heading : "", unit ? unit : "");
    if (axes->group != BENCH_NO_COLUMN)
        snprintf(chart.legend, sizeof chart.legend, "%s", columns[axes->group].heading);

    for (size_t r = 0; r < table->row_count; r++)
        text |= bench_cell(table, r, (size_t)axes->x)->kind == BENCH_TEXT;
    for (size_t r = 0; text && r < table->row_count; r++) {
        char name[CHART_NAME];
        bench_cell_text(table, r, (size_t)axes->x, name, sizeof name);
        chart_category(&chart, name);
    }
    for (size_t r = 0; r < table->row_count; r++)
        for (size_t c = 0; c < table->column_count; c++)
            if (columns[c].plotted && first_of_group(table, r))
                add_series(&chart, table, c, r, measured);
    for (size_t s = 0; s < chart.series_count; s++)
        published |= chart.series[s].dashed;
    if (published)
        snprintf(chart.note, sizeof chart.note, "hollow: published");
    return chart;
}

enum status bench_plot(const struct bench_report *report, const char *path)
{
    struct chart *charts = memory_new(report->table_count, sizeof *charts);
    size_t count = 0;
    enum status status;
    for (size_t t = 0; t < report->table_count; t++) {
        charts[count] = bench_chart(report->tables[t]);
        if (charts[count].series_count > 0)
            count++;
        else
            chart_free(&charts[count]);
    }
    if (count > 0) {
        char *notes[3] = {0};
        size_t note = 0;
        if (report->cpu)
            notes[note++] = text_format("CPU: %s", report->cpu);
        if (report->cuda)
            notes[note++] = text_format("CUDA: %s", report->cuda);
        status = chart_write(charts, count, (const char *const *)notes,
                             "gravreel " GRAVREEL_VERSION " bench", path);
        free(notes[0]);
        free(notes[1]);
    } else {
        status =
            status_fail(STATUS_USAGE,
                        "there is nothing to plot in '%s': no table of this run has axes and a "
                        "number; choose another suite",
                        path);
    }
    for (size_t c = 0; c < count; c++)
        chart_free(&charts[c]);
    free(charts);
    return status;
}
