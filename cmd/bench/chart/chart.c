#include "cmd/bench/chart/chart.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/bench/chart/axis.h"

#include <cairo-svg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- series and categories ---- */

struct chart_series *chart_add_series(struct chart *chart, const char *name, bool dashed)
{
    chart->series = memory_grow(chart->series, chart->series_count + 1, sizeof *chart->series);
    struct chart_series *series = &chart->series[chart->series_count];
    *series = (struct chart_series){.dashed = dashed, .family = chart->family_count};
    snprintf(series->name, sizeof series->name, "%s", name);
    for (size_t s = 0; s < chart->series_count; s++)
        if (strcmp(chart->series[s].name, series->name) == 0)
            series->family = chart->series[s].family;
    chart->family_count += series->family == chart->family_count;
    chart->series_count++;
    return series;
}

void chart_add_point(struct chart_series *series, double x, double y)
{
    series->points = memory_grow(series->points, series->count + 1, sizeof *series->points);
    series->points[series->count][0] = x;
    series->points[series->count++][1] = y;
}

double chart_category(struct chart *chart, const char *name)
{
    char own[CHART_NAME];
    snprintf(own, sizeof own, "%s", name);
    for (size_t c = 0; c < chart->category_count; c++)
        if (strcmp(chart->categories[c], own) == 0)
            return (double)c;
    chart->categories = memory_grow(chart->categories, chart->category_count + 1, sizeof own);
    memcpy(chart->categories[chart->category_count], own, sizeof own);
    return (double)chart->category_count++;
}

void chart_free(struct chart *chart)
{
    for (size_t s = 0; s < chart->series_count; s++)
        free(chart->series[s].points);
    free(chart->series);
    free(chart->categories);
    *chart = (struct chart){0};
}

/* In the units of the page: pixels in a PNG. */
enum { ALONE_WIDTH = 1200, ALONE_HEIGHT = 740, WIDTH = 1000, HEIGHT = 680, FOOT = 60 };
enum { MARGIN = 30, LEGEND_MAX = 250, LEGEND_PITCH = 26, LEGEND_LINE = 34, LEGEND_TEXT = 44 };

static const double TEXT = 15, SMALL = 13, TITLE = 20, MARKER = 5;

/* Okabe and Ito's colours, which people with any kind of colour vision can tell apart, plus a grey,
 * without their yellow, which is faint on white. */
static const double palette[][3] = {
    {0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
    {0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}, {0.10, 0.10, 0.10}, {0.55, 0.55, 0.55},
};
static const double ink[3] = {0.13, 0.13, 0.13}, faint[3] = {0.42, 0.42, 0.42};
static const double grid[3] = {0.85, 0.85, 0.85}, fine_grid[3] = {0.94, 0.94, 0.94};
static const double white[3] = {1, 1, 1};

struct box {
    double x, y, width, height;
};

/* A chart being drawn on the page. */
struct panel {
    bool lying; /* categories: x is vertical and y runs to the right */
    struct axis across, up;
    struct box box; /* within the axes */
};

/* ---- words and lines ---- */

static void set_colour(cairo_t *cr, const double colour[3])
{
    cairo_set_source_rgb(cr, colour[0], colour[1], colour[2]);
}

static double text_width(cairo_t *cr, double size, const char *text)
{
    cairo_text_extents_t extents;
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           size < TITLE ? CAIRO_FONT_WEIGHT_NORMAL : CAIRO_FONT_WEIGHT_BOLD);
    cairo_set_font_size(cr, size);
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}

/* Draws text, smaller if it would be wider than `room`. `align` 0: begins at x, 0.5: is centred on
 * it, 1: ends there. */
static void put_text(cairo_t *cr, double x, double y, double align, double size, double room,
                     const double colour[3], const char *text)
{
    double width = text_width(cr, size, text);
    if (width > room)
        cairo_set_font_size(cr, size * room / width);
    set_colour(cr, colour);
    cairo_move_to(cr, x - align * fmin(width, room), y);
    cairo_show_text(cr, text);
}

static void put_line(cairo_t *cr, const double colour[3], double x0, double y0, double x1,
                     double y1)
{
    set_colour(cr, colour);
    cairo_set_line_width(cr, 1);
    cairo_move_to(cr, round(x0) + 0.5, round(y0) + 0.5);
    cairo_line_to(cr, round(x1) + 0.5, round(y1) + 0.5);
    cairo_stroke(cr);
}

/* ---- series ---- */

/* Sets the family's colour, and a solid or dashed line. */
static void set_pen(cairo_t *cr, const struct chart_series *series)
{
    static const double dash[] = {7, 5};
    set_colour(cr, palette[series->family % (sizeof palette / sizeof *palette)]);
    cairo_set_dash(cr, dash, series->dashed ? 2 : 0, 0);
    cairo_set_line_width(cr, series->dashed ? 1.6 : 2.4);
}

/* Draws a circle, square, triangle, diamond or inverted triangle. */
static void put_marker(cairo_t *cr, const struct chart_series *series, double x, double y)
{
    static const int sides[] = {0, 4, 3, 4, 3};
    static const double turn[] = {0, M_PI / 4, -M_PI / 2, 0, M_PI / 2};
    size_t shape = series->family % (sizeof sides / sizeof *sides);
    cairo_new_path(cr);
    if (sides[shape] == 0)
        cairo_arc(cr, x, y, MARKER, 0, 2 * M_PI);
    for (int s = 0; s < sides[shape]; s++) {
        double angle = turn[shape] + 2 * M_PI * s / sides[shape];
        cairo_line_to(cr, x + 1.25 * MARKER * cos(angle), y + 1.25 * MARKER * sin(angle));
    }
    cairo_close_path(cr);
    set_pen(cr, series);
    if (series->dashed)
        set_colour(cr, white);
    cairo_fill_preserve(cr);
    set_pen(cr, series);
    cairo_set_dash(cr, NULL, 0, 0);
    cairo_set_line_width(cr, 1.6);
    cairo_stroke(cr);
}

/* False for a point that cannot be shown on the axes. */
static bool place_point(const struct panel *panel, const double point[2], double at[2])
{
    const struct box *box = &panel->box;
    at[0] = box->x + axis_place(&panel->across, point[panel->lying]) * box->width;
    at[1] = box->y + (1 - axis_place(&panel->up, point[!panel->lying])) * box->height;
    return isfinite(at[0]) && isfinite(at[1]);
}

static void draw_series(cairo_t *cr, const struct panel *panel, const struct chart_series *series)
{
    double at[2];
    bool pen_down = false;
    set_pen(cr, series);
    for (size_t p = 0; !panel->lying && p < series->count; p++) {
        bool there = place_point(panel, series->points[p], at);
        if (there)
            (pen_down ? cairo_line_to : cairo_move_to)(cr, at[0], at[1]);
        pen_down = there;
    }
    cairo_stroke(cr);
    for (size_t p = 0; p < series->count; p++)
        if (place_point(panel, series->points[p], at))
            put_marker(cr, series, at[0], at[1]);
}

/* ---- axes ---- */

/* Draws lines across the box, and labels below it or to its left within `room`. A label that would
 * touch the previous label is left out. */
static void draw_axis(cairo_t *cr, const struct panel *panel, const struct axis *axis, double room)
{
    const struct box *box = &panel->box;
    double right = box->x + box->width, bottom = box->y + box->height, last = -INFINITY, end = 0;
    for (const struct axis_tick *tick = axis->ticks; tick < axis->ticks + axis->tick_count;
         tick++) {
        double place = axis_place(axis, tick->at), x = box->x + place * box->width;
        double y = bottom - place * box->height;
        bool across = axis == &panel->across;
        const double *colour = tick->major ? grid : fine_grid;
        if (across)
            put_line(cr, colour, x, box->y, x, bottom);
        else
            put_line(cr, colour, box->x, y, right, y);
        double at = across ? x : y, reach = across ? text_width(cr, TEXT, tick->label) / 2 + 4 : 9;
        if (!tick->major || fabs(at - last) < end + reach)
            continue;
        last = at;
        end = reach;
        if (across)
            put_text(cr, x, bottom + 23, 0.5, TEXT, INFINITY, ink, tick->label);
        else
            put_text(cr, box->x - 10, y + 5, 1, TEXT, room, ink, tick->label);
    }
}

static double widest_label(cairo_t *cr, const struct axis *axis)
{
    double widest = 0;
    for (size_t t = 0; t < axis->tick_count; t++)
        if (axis->ticks[t].major)
            widest = fmax(widest, text_width(cr, TEXT, axis->ticks[t].label));
    return widest;
}

/* ---- legend ---- */

static bool has_legend(const struct chart *chart)
{
    return chart->family_count > 1 || chart->legend[0];
}

static double legend_width(cairo_t *cr, const struct chart *chart)
{
    double widest = text_width(cr, TEXT, chart->legend) - LEGEND_TEXT;
    for (size_t s = 0; s < chart->series_count; s++)
        widest = fmax(widest, text_width(cr, TEXT, chart->series[s].name));
    return has_legend(chart) ? LEGEND_TEXT + fmin(widest, LEGEND_MAX) + 46 : MARGIN;
}

static void draw_legend(cairo_t *cr, const struct chart *chart, double x, double y, double height)
{
    double pitch = fmin(LEGEND_PITCH, height / (double)(chart->family_count + 1));
    double size = fmin(TEXT, 0.75 * pitch);
    put_text(cr, x, y + 15, 0, size, LEGEND_TEXT + LEGEND_MAX, faint, chart->legend);
    y += chart->legend[0] ? pitch + 10 : 10;
    for (size_t f = 0; has_legend(chart) && f < chart->family_count; f++, y += pitch) {
        const struct chart_series *face = NULL; /* dashed only if the whole family is */
        for (size_t s = 0; s < chart->series_count; s++)
            if (chart->series[s].family == f && (!face || face->dashed))
                face = &chart->series[s];
        set_pen(cr, face);
        cairo_move_to(cr, x, y);
        if (chart->category_count == 0)
            cairo_line_to(cr, x + LEGEND_LINE, y);
        cairo_stroke(cr);
        put_marker(cr, face, x + LEGEND_LINE / 2.0, y);
        put_text(cr, x + LEGEND_TEXT, y + 5, 0, size, LEGEND_MAX, ink, face->name);
    }
}

/* ---- chart and page ---- */

/* The axis of the points' x or y. */
static struct axis fit(const struct chart *chart, bool y)
{
    size_t count = 0;
    double *values = NULL;
    if (!y && chart->category_count > 0)
        return axis_categories(chart->category_count, chart->categories);
    for (size_t s = 0; s < chart->series_count; s++) {
        values = memory_grow(values, count + chart->series[s].count + 1, sizeof *values);
        for (size_t p = 0; p < chart->series[s].count; p++)
            if (isfinite(chart->series[s].points[p][1]))
                values[count++] = chart->series[s].points[p][y];
    }
    struct axis axis = axis_fit(count, values, y ? chart->log_y : chart->log_x, y, !y);
    free(values);
    return axis;
}

static void draw_chart(cairo_t *cr, const struct chart *chart, struct box page)
{
    bool lying = chart->category_count > 0;
    struct panel panel = {.lying = lying, .across = fit(chart, lying), .up = fit(chart, !lying)};
    double left = page.x + fmin(widest_label(cr, &panel.up), 0.4 * page.width) + 44;
    double top = page.y + (lying ? 76 : 92), bottom = page.y + page.height - 74;
    double width = page.x + page.width - left - legend_width(cr, chart);
    panel.box = (struct box){left, top, width, bottom - top};

    put_text(cr, page.x + MARGIN, page.y + 44, 0, TITLE, page.width - 2 * MARGIN, ink,
             chart->title);
    put_text(cr, left + width / 2, bottom + 50, 0.5, TEXT, width, faint,
             lying ? chart->y_title : chart->x_title);
    put_text(cr, page.x + MARGIN, top - 18, 0, TEXT, width / 2, faint, lying ? "" : chart->y_title);
    put_text(cr, left + width, top - (lying ? 10 : 18), 1, SMALL, width / 2, faint, chart->note);
    draw_axis(cr, &panel, &panel.across, 0);
    draw_axis(cr, &panel, &panel.up, left - page.x - 24);
    put_line(cr, faint, left, bottom, left + width, bottom);
    put_line(cr, faint, left, top, left, bottom);
    for (int dashed = 1; dashed >= 0; dashed--)
        for (size_t s = 0; s < chart->series_count; s++)
            if (chart->series[s].dashed == dashed)
                draw_series(cr, &panel, &chart->series[s]);
    draw_legend(cr, chart, left + width + 24, top, bottom - top);
}

static void draw_foot(cairo_t *cr, const char *const *notes, const char *signature, struct box foot)
{
    double y = foot.y + (notes[0] && notes[1] ? 18 : 28);
    for (; *notes; notes++, y += *notes ? 19 : 0)
        put_text(cr, MARGIN, y, 0, SMALL, foot.width - 260, faint, *notes);
    put_text(cr, foot.width - MARGIN, y, 1, SMALL, INFINITY, faint, signature);
}

static cairo_status_t keep(void *user, const unsigned char *data, unsigned int size)
{
    return fwrite(data, 1, size, user) == size ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

enum status chart_check_path(const char *path)
{
    const char *extension = file_extension(path);
    if (strcmp(extension, "svg") == 0 || strcmp(extension, "png") == 0)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "a chart is written as .svg or .png, and '%s' has neither ending", path);
}

enum status chart_write(const struct chart *charts, size_t count, const char *const *notes,
                        const char *signature, const char *path)
{
    enum status status = chart_check_path(path);
    if (status != STATUS_OK)
        return status;
    size_t columns = count > 1 ? 2 : 1, lines = 0, size;
    while (notes[lines])
        lines++;
    double width = count > 1 ? WIDTH : ALONE_WIDTH, height = count > 1 ? HEIGHT : ALONE_HEIGHT;
    struct box foot = {0, height * (double)((count + columns - 1) / columns),
                       width * (double)columns, FOOT + (lines > 2 ? 19 * (double)(lines - 2) : 0)};

    char *data = NULL;
    FILE *memory = text_begin(&data, &size);
    bool svg = strcmp(file_extension(path), "svg") == 0;
    cairo_surface_t *surface =
        svg ? cairo_svg_surface_create_for_stream(keep, memory, foot.width, foot.y + foot.height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)foot.width,
                                         (int)(foot.y + foot.height));
    cairo_t *cr = cairo_create(surface);
    set_colour(cr, white);
    cairo_paint(cr);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (size_t c = 0; c < count; c++)
        draw_chart(cr, &charts[c],
                   (struct box){width * (double)(c % columns), height * (double)(c / columns),
                                width, height});
    draw_foot(cr, notes, signature, foot);
    cairo_status_t drawn = cairo_status(cr);
    cairo_destroy(cr);
    if (drawn == CAIRO_STATUS_SUCCESS && !svg)
        drawn = cairo_surface_write_to_png_stream(surface, keep, memory);
    cairo_surface_finish(surface);
    if (drawn == CAIRO_STATUS_SUCCESS)
        drawn = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    text_end(memory);

    if (drawn != CAIRO_STATUS_SUCCESS)
        status = status_fail(STATUS_RUNTIME, "the chart '%s' could not be drawn: %s", path,
                             cairo_status_to_string(drawn));
    else
        status = file_write(path, data, size);
    free(data);
    return status;
}
