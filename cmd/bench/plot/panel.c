#include "cmd/bench/plot/panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_TICKS = 14, DECADES_MAX = 24 };

/* ---- series ---- */

/* "" for a table without groups: then all rows are one group. */
static void group_text(const struct bench_table *table, size_t row, char text[PLOT_LABEL])
{
    text[0] = '\0';
    if (table->axes.group != BENCH_NO_COLUMN)
        bench_cell_text(table, row, (size_t)table->axes.group, text, PLOT_LABEL);
}

static bool first_of_group(const struct bench_table *table, size_t row)
{
    char text[PLOT_LABEL], other[PLOT_LABEL];
    group_text(table, row, text);
    for (size_t r = 0; r < row; r++) {
        group_text(table, r, other);
        if (strcmp(text, other) == 0)
            return false;
    }
    return true;
}

static size_t own_columns(const struct bench_table *table)
{
    size_t own = 0;
    for (size_t c = 0; c < table->column_count; c++)
        own += table->columns[c].plotted && !table->columns[c].published;
    return own;
}

static size_t family_of(struct plot_panel *panel, const char *name)
{
    for (size_t f = 0; f < panel->family_count; f++)
        if (strcmp(panel->families[f], name) == 0)
            return f;
    snprintf(panel->families[panel->family_count], PLOT_LABEL, "%s", name);
    return panel->family_count++;
}

/* The measured column that a published one stands beside: the one with the same heading, or the one
 * right before it when its heading is just "published", or the only one when it is alone too. */
static size_t base_column(const struct bench_table *table, size_t column)
{
    const struct bench_column *columns = table->columns;
    size_t own = column, published = 0;
    if (!columns[column].published)
        return column;
    for (size_t c = 0; c < table->column_count; c++) {
        published += columns[c].plotted && columns[c].published;
        if (!columns[c].plotted || columns[c].published)
            continue;
        own = c;
        if (strcmp(columns[c].heading, columns[column].heading) == 0 ||
            (c + 1 == column && strcmp(columns[column].heading, "published") == 0))
            return c;
    }
    return own_columns(table) == 1 && published == 1 ? own : column;
}

static double x_value(const struct plot_panel *panel, const struct bench_table *table, size_t row)
{
    const struct bench_cell *cell = bench_cell(table, row, (size_t)table->axes.x);
    if (!panel->x.category)
        return cell->kind == BENCH_NUMBER ? cell->number : NAN;
    char text[PLOT_LABEL];
    bench_cell_text(table, row, (size_t)table->axes.x, text, sizeof text);
    for (size_t t = 0; t < panel->x.tick_count; t++)
        if (strcmp(text, panel->x.ticks[t].label) == 0)
            return panel->x.ticks[t].at;
    return NAN;
}

static bool add_series(struct plot_panel *panel, const struct bench_table *table, size_t column,
                       size_t first_row)
{
    char group[PLOT_LABEL], other[PLOT_LABEL], name[PLOT_LABEL];
    const struct bench_column *base = &table->columns[base_column(table, column)];
    struct plot_series *series = &panel->series[panel->series_count];
    *series = (struct plot_series){.published = table->columns[column].published};
    series->x = calloc(table->row_count, sizeof *series->x);
    series->y = calloc(table->row_count, sizeof *series->y);
    panel->series_count++;
    if (!series->x || !series->y)
        return false;

    size_t numbers = 0;
    group_text(table, first_row, group);
    for (size_t r = first_row; r < table->row_count; r++) {
        const struct bench_cell *cell = bench_cell(table, r, column);
        double x = x_value(panel, table, r);
        group_text(table, r, other);
        if (strcmp(group, other) != 0 || !isfinite(x))
            continue;
        bool number = cell->kind == BENCH_NUMBER && isfinite(cell->number);
        series->x[series->count] = x;
        series->y[series->count++] = number ? cell->number : NAN;
        numbers += number;
    }
    if (numbers == 0) {
        free(series->x);
        free(series->y);
        panel->series_count--;
        return true;
    }
    if (!group[0])
        snprintf(name, sizeof name, "%s", base->heading);
    else if (own_columns(table) <= 1)
        snprintf(name, sizeof name, "%s", group);
    else
        snprintf(name, sizeof name, "%.30s, %.30s", group, base->heading);
    series->family = family_of(panel, name);
    panel->published |= series->published;
    panel->measured |= !series->published;
    return true;
}

static bool add_all_series(struct plot_panel *panel, const struct bench_table *table)
{
    size_t columns = 0, groups = 0;
    for (size_t c = 0; c < table->column_count; c++)
        columns += table->columns[c].plotted;
    for (size_t r = 0; r < table->row_count; r++)
        groups += first_of_group(table, r);
    if (columns == 0 || groups == 0)
        return true;
    panel->series = calloc(columns * groups, sizeof *panel->series);
    panel->families = calloc(columns * groups, sizeof *panel->families);
    if (!panel->series || !panel->families)
        return false;
    for (size_t r = 0; r < table->row_count; r++)
        for (size_t c = 0; first_of_group(table, r) && c < table->column_count; c++)
            if (table->columns[c].plotted && !add_series(panel, table, c, r))
                return false;
    return true;
}

/* ---- scales ---- */

double plot_place(const struct plot_axis *axis, double value)
{
    if (axis->log)
        return log(value / axis->low) / log(axis->high / axis->low);
    return (value - axis->low) / (axis->high - axis->low);
}

/* "64,000", "0.05", "1e9". */
static void write_number(double value, char label[PLOT_LABEL])
{
    double size = fabs(value);
    if (size >= 1000 && size < 1e7 && value == floor(value)) {
        long thousands = (long)value / 1000, rest = labs((long)value % 1000);
        if (labs(thousands) >= 1000)
            snprintf(label, PLOT_LABEL, "%ld,%03ld,%03ld", thousands / 1000, labs(thousands % 1000),
                     rest);
        else
            snprintf(label, PLOT_LABEL, "%ld,%03ld", thousands, rest);
    } else if (size != 0 && (size >= 1e7 || size < 1e-4)) {
        int exponent = (int)floor(log10(size) + 1e-9);
        snprintf(label, PLOT_LABEL, "%ge%d", value / pow(10, exponent), exponent);
    } else {
        snprintf(label, PLOT_LABEL, "%.6g", value);
    }
}

static void add_tick(struct plot_axis *axis, double at, bool major)
{
    double slack = axis->log ? 1 + 1e-9 : 1, edge = 1e-9 * (axis->high - axis->low);
    bool inside = axis->log ? at * slack >= axis->low && at <= axis->high * slack
                            : at + edge >= axis->low && at - edge <= axis->high;
    if (!inside || axis->tick_count == PLOT_TICKS)
        return;
    struct plot_tick *tick = &axis->ticks[axis->tick_count++];
    tick->at = at == 0 ? 0 : at; /* no -0 */
    tick->major = major;
    write_number(tick->at, tick->label);
}

static void log_ticks(struct plot_axis *axis)
{
    double decades = log10(axis->high / axis->low);
    int first = (int)floor(log10(axis->low)), step = 1 + (int)(decades / 9);
    for (int e = first; e <= first + (int)decades + 1; e++)
        for (int m = 1; m < 10; m++) {
            bool round = m == 1 ? e % step == 0 : (m == 2 || m == 5) && decades < 2;
            if (m == 1 || decades < 6)
                add_tick(axis, m * pow(10, e), round);
        }
}

static void linear_ticks(struct plot_axis *axis)
{
    double raw = (axis->high - axis->low) / 6, power = pow(10, floor(log10(raw))), m = raw / power;
    double step = power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
    for (double k = ceil(axis->low / step - 1e-9); k * step <= axis->high + 1e-9 * step; k++)
        add_tick(axis, k * step, true);
}

struct range {
    double low, high;
};

static struct range range_of(const struct plot_panel *panel, bool y)
{
    struct range range = {INFINITY, -INFINITY};
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t p = 0; p < panel->series[s].count; p++)
            if (isfinite(panel->series[s].y[p])) {
                double value = y ? panel->series[s].y[p] : panel->series[s].x[p];
                range.low = fmin(range.low, value);
                range.high = fmax(range.high, value);
            }
    return range;
}

static void scale_axis(struct plot_axis *axis, struct range range, bool want_log, bool from_zero)
{
    double span = range.low > 0 ? range.high / range.low : 0;
    axis->log = span > 10 || (want_log && span >= 1 && log10(range.high) < DECADES_MAX);
    if (axis->log) {
        double margin = span < 1.5 ? 1.5 : pow(span, 0.04);
        axis->low = range.low / margin;
        axis->high = range.high * margin;
        return;
    }
    double size = range.high - range.low;
    double margin = size > 0 ? 0.05 * size : fmax(0.1 * fabs(range.high), 1e-3);
    bool zero = from_zero && range.low >= 0;
    axis->low = zero ? 0 : range.low - margin;
    axis->high = zero ? 1.08 * range.high : range.high + margin;
    if (axis->high <= axis->low)
        axis->high = axis->low + 1;
}

/* The values themselves where they are few: an N of 16,000 is worth more than a round 20,000. */
static bool own_ticks(struct plot_axis *axis, const struct plot_panel *panel)
{
    double values[OWN_TICKS];
    size_t count = 0;
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t p = 0; p < panel->series[s].count; p++) {
            size_t v = 0;
            while (v < count && values[v] != panel->series[s].x[p])
                v++;
            if (v == OWN_TICKS)
                return false;
            if (v == count)
                values[count++] = panel->series[s].x[p];
        }
    for (size_t v = 0; v < count; v++)
        add_tick(axis, values[v], true);
    return true;
}

/* ---- the panel ---- */

static void name_column(char *title, size_t size, const struct bench_column *column, bool heading)
{
    snprintf(title, size, "%.60s%s%.60s", heading ? column->heading : "",
             heading && column->unit[0] ? ", " : "", column->unit);
}

static void name_axes(struct plot_panel *panel, const struct bench_table *table)
{
    const struct bench_column *first = NULL;
    bool same_unit = true;
    if (table->axes.group != BENCH_NO_COLUMN)
        snprintf(panel->legend_title, PLOT_LABEL, "%s", table->columns[table->axes.group].heading);
    name_column(panel->x.title, sizeof panel->x.title, &table->columns[table->axes.x], true);
    for (size_t c = 0; c < table->column_count; c++) {
        const struct bench_column *column = &table->columns[c];
        if (!column->plotted)
            continue;
        if (!first || (first->published && !column->published))
            first = column;
        same_unit = same_unit && strcmp(first->unit, column->unit) == 0;
    }
    if (same_unit)
        name_column(panel->y.title, sizeof panel->y.title, first, own_columns(table) == 1);
}

static void find_categories(struct plot_panel *panel, const struct bench_table *table)
{
    size_t column = (size_t)table->axes.x;
    for (size_t r = 0; r < table->row_count; r++)
        panel->x.category |= bench_cell(table, r, column)->kind == BENCH_TEXT;
    for (size_t r = 0; panel->x.category && r < table->row_count; r++) {
        char text[PLOT_LABEL];
        bench_cell_text(table, r, column, text, sizeof text);
        if (isfinite(x_value(panel, table, r)) || panel->x.tick_count == PLOT_TICKS)
            continue;
        struct plot_tick *tick = &panel->x.ticks[panel->x.tick_count];
        tick->at = (double)panel->x.tick_count++;
        tick->major = true;
        memcpy(tick->label, text, sizeof text);
    }
    if (!panel->x.category)
        return;
    panel->x.low = -0.5;
    panel->x.high = (double)panel->x.tick_count - 0.5;
}

bool plot_panel_make(struct plot_panel *panel, const struct bench_table *table)
{
    *panel = (struct plot_panel){.title = table->title};
    if (table->axes.x == BENCH_NO_COLUMN)
        return true;
    find_categories(panel, table);
    if (!add_all_series(panel, table)) {
        plot_panel_free(panel);
        return false;
    }
    if (panel->series_count == 0)
        return true;
    name_axes(panel, table);
    scale_axis(&panel->y, range_of(panel, true), table->axes.log_y, true);
    if (!panel->x.category) {
        scale_axis(&panel->x, range_of(panel, false), table->axes.log_x, false);
        if (!own_ticks(&panel->x, panel)) {
            if (panel->x.log)
                log_ticks(&panel->x);
            else
                linear_ticks(&panel->x);
        }
    }
    if (panel->y.log)
        log_ticks(&panel->y);
    else
        linear_ticks(&panel->y);
    return true;
}

void plot_panel_free(struct plot_panel *panel)
{
    for (size_t s = 0; s < panel->series_count; s++) {
        free(panel->series[s].x);
        free(panel->series[s].y);
    }
    free(panel->series);
    free(panel->families);
    *panel = (struct plot_panel){0};
}
