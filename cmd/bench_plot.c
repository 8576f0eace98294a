#include "cmd/bench_plot.h"
#include "cmd/bench_plot_panel.h"

#include "base/file.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALONE_WIDTH = 1200,
    ALONE_HEIGHT = 740,
    PANEL_WIDTH = 1000,
    PANEL_HEIGHT = 680,
    FOOT = 60,
    LEGEND_MAX = 250,
    LABELS_MAX = 128,
};

static const double TEXT = 15, SMALL = 13, TITLE = 20, MARKER = 5;

/* Okabe and Ito's colours, told apart by people with any kind of colour vision, without their
 * yellow, which is faint on white, and with a grey. */
static const double palette[][3] = {
    {0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
    {0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}, {0.10, 0.10, 0.10}, {0.55, 0.55, 0.55},
};

static const double ink[3] = {0.13, 0.13, 0.13}, faint[3] = {0.42, 0.42, 0.42},
                    grid[3] = {0.85, 0.85, 0.85}, fine_grid[3] = {0.94, 0.94, 0.94};

struct box {
    double x, y, width, height;
};

static void set_colour(cairo_t *cr, const double colour[3])
{
    cairo_set_source_rgb(cr, colour[0], colour[1], colour[2]);
}

static const double *family_colour(size_t family)
{
    return palette[family % (sizeof palette / sizeof *palette)];
}

/* ---- words and lines ---- */

static void set_font(cairo_t *cr, double size, bool bold)
{
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
}

static double text_width(cairo_t *cr, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}

/* `align` 0: begins at x, 1: ends there. */
static void put_text(cairo_t *cr, double x, double y, double align, const char *text)
{
    cairo_move_to(cr, x - align * text_width(cr, text), y);
    cairo_show_text(cr, text);
}

/* The largest size up to `size` at which the text is no wider than `room`. */
static void fit_font(cairo_t *cr, double size, bool bold, double room, const char *text)
{
    set_font(cr, size, bold);
    double width = text_width(cr, text);
    if (width > room)
        set_font(cr, size * room / width, bold);
}

static void line(cairo_t *cr, double x0, double y0, double x1, double y1)
{
    cairo_move_to(cr, round(x0) + 0.5, round(y0) + 0.5);
    cairo_line_to(cr, round(x1) + 0.5, round(y1) + 0.5);
    cairo_stroke(cr);
}

/* ---- series ---- */

/* Shape and colour both tell the family; a published one is hollow. */
static void marker(cairo_t *cr, double x, double y, size_t family, bool hollow)
{
    static const int sides[] = {0, 4, 3, 4, 3};
    static const double turn[] = {0, 0.25, 0.75, 0, 0.25};
    const double pi = 3.14159265358979324;
    size_t shape = family % (sizeof sides / sizeof *sides);
    cairo_new_path(cr);
    if (sides[shape] == 0)
        cairo_arc(cr, x, y, MARKER, 0, 2 * pi);
    for (int s = 0; s < sides[shape]; s++) {
        double angle = 2 * pi * (s + (sides[shape] == 4 ? 2 : 1) * turn[shape]) / sides[shape];
        if (sides[shape] == 3)
            angle = 2 * pi * ((double)s / 3 + turn[shape]);
        cairo_line_to(cr, x + 1.25 * MARKER * cos(angle), y + 1.25 * MARKER * sin(angle));
    }
    cairo_close_path(cr);
    if (hollow)
        cairo_set_source_rgb(cr, 1, 1, 1);
    else
        set_colour(cr, family_colour(family));
    cairo_fill_preserve(cr);
    set_colour(cr, family_colour(family));
    cairo_set_line_width(cr, 1.6);
    cairo_stroke(cr);
}

static void set_stroke(cairo_t *cr, bool published)
{
    static const double dash[] = {7, 5};
    cairo_set_dash(cr, dash, published ? 2 : 0, 0);
    cairo_set_line_width(cr, published ? 1.6 : 2.4);
}

static void point_of(const struct plot_panel *panel, const struct box *box, double x, double y,
                     double at[2])
{
    double u = plot_place(&panel->x, x), v = plot_place(&panel->y, y);
    at[0] = box->x + (panel->x.category ? v : u) * box->width;
    at[1] = panel->x.category ? box->y + u * box->height : box->y + (1 - v) * box->height;
}

static void draw_series(cairo_t *cr, const struct plot_panel *panel, const struct box *box,
                        const struct plot_series *series)
{
    double at[2];
    bool pen_down = false;
    set_colour(cr, family_colour(series->family));
    set_stroke(cr, series->published);
    cairo_new_path(cr);
    for (size_t p = 0; !panel->x.category && p < series->count; p++) {
        bool there = isfinite(series->y[p]) && (series->y[p] > 0 || !panel->y.log);
        if (there) {
            point_of(panel, box, series->x[p], series->y[p], at);
            (pen_down ? cairo_line_to : cairo_move_to)(cr, at[0], at[1]);
        }
        pen_down = there;
    }
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0);
    for (size_t p = 0; p < series->count; p++)
        if (isfinite(series->y[p]) && (series->y[p] > 0 || !panel->y.log)) {
            point_of(panel, box, series->x[p], series->y[p], at);
            marker(cr, at[0], at[1], series->family, series->published);
        }
}

/* ---- axes ---- */

/* False when the place is taken; else it is from now on. */
static bool take_place(double (*taken)[2], size_t *count, double low, double high)
{
    for (size_t t = 0; t < *count; t++)
        if (low < taken[t][1] && high > taken[t][0])
            return false;
    if (*count == LABELS_MAX)
        return false;
    taken[*count][0] = low;
    taken[(*count)++][1] = high;
    return true;
}

/* `across`: the axis runs from left to right, its lines from top to bottom. `flip`: its low end is
 * at the bottom. `room`: for labels beside the axis. */
static void draw_axis(cairo_t *cr, const struct plot_axis *axis, const struct box *box, bool across,
                      bool flip, double room)
{
    double taken[LABELS_MAX][2], bottom = box->y + box->height;
    size_t places = 0;
    set_font(cr, TEXT, false);
    for (size_t t = 0; t < axis->tick_count; t++) {
        const struct plot_tick *tick = &axis->ticks[t];
        double place = plot_place(axis, tick->at), width = text_width(cr, tick->label);
        double at = across ? box->x + place * box->width
                           : box->y + (flip ? 1 - place : place) * box->height;
        double reach = across ? width / 2 + 4 : 9;
        set_colour(cr, tick->major ? grid : fine_grid);
        cairo_set_line_width(cr, 1);
        if (across)
            line(cr, at, box->y, at, bottom);
        else
            line(cr, box->x, at, box->x + box->width, at);
        if (!tick->major || !take_place(taken, &places, at - reach, at + reach))
            continue;
        set_colour(cr, ink);
        if (across) {
            put_text(cr, at, bottom + 23, 0.5, tick->label);
        } else {
            fit_font(cr, TEXT, false, room, tick->label);
            put_text(cr, box->x - 10, at + 5, 1, tick->label);
        }
    }
}

static double widest_label(cairo_t *cr, const struct plot_axis *axis)
{
    double widest = 0;
    set_font(cr, TEXT, false);
    for (size_t t = 0; t < axis->tick_count; t++)
        if (axis->ticks[t].major)
            widest = fmax(widest, text_width(cr, axis->ticks[t].label));
    return widest;
}

/* ---- legend ---- */

/* Every family that was measured shows a full line; one that was only published a dashed one. */
static bool only_published(const struct plot_panel *panel, size_t family)
{
    for (size_t s = 0; s < panel->series_count; s++)
        if (panel->series[s].family == family && !panel->series[s].published)
            return false;
    return true;
}

static void legend_line(cairo_t *cr, const struct plot_panel *panel, double x, double y,
                        bool published)
{
    set_stroke(cr, published);
    if (!panel->x.category) {
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + 34, y);
        cairo_stroke(cr);
    }
    cairo_set_dash(cr, NULL, 0, 0);
}

/* The axis says what the one family is. */
static bool families_named(const struct plot_panel *panel)
{
    return panel->family_count > 1 || panel->legend_title[0];
}

static bool needs_legend(const struct plot_panel *panel)
{
    return families_named(panel) || panel->published;
}

static double legend_width(cairo_t *cr, const struct plot_panel *panel)
{
    double widest = 0;
    if (!needs_legend(panel))
        return 0;
    set_font(cr, TEXT, false);
    for (size_t f = 0; families_named(panel) && f < panel->family_count; f++)
        widest = fmax(widest, text_width(cr, panel->families[f]));
    widest = fmax(widest, text_width(cr, panel->legend_title) - 44);
    if (panel->published)
        widest = fmax(widest, text_width(cr, "measured here"));
    return fmin(widest, LEGEND_MAX) + 66;
}

static void draw_legend(cairo_t *cr, const struct plot_panel *panel, double x, double y,
                        double height)
{
    size_t families = families_named(panel) ? panel->family_count : 0, rows = families + 4;
    double pitch = fmin(26, height / (double)rows);
    y += 10;
    set_colour(cr, faint);
    fit_font(cr, fmin(TEXT, 0.75 * pitch), false, LEGEND_MAX + 44, panel->legend_title);
    put_text(cr, x, y + 5, 0, panel->legend_title);
    y += panel->legend_title[0] ? pitch : 0;
    for (size_t f = 0; f < families; f++, y += pitch) {
        bool published = only_published(panel, f);
        set_colour(cr, family_colour(f));
        legend_line(cr, panel, x, y, published);
        marker(cr, x + 17, y, f, published);
        set_colour(cr, ink);
        fit_font(cr, fmin(TEXT, 0.75 * pitch), false, LEGEND_MAX, panel->families[f]);
        put_text(cr, x + 44, y + 5, 0, panel->families[f]);
    }
    if (!panel->published)
        return;
    y += families ? pitch / 2 : 0;
    for (int published = panel->measured ? 0 : 1; published < 2; published++, y += pitch) {
        set_colour(cr, faint);
        legend_line(cr, panel, x, y, published);
        cairo_new_path(cr);
        cairo_arc(cr, x + 17, y, MARKER, 0, 7);
        if (published) {
            cairo_set_source_rgb(cr, 1, 1, 1);
            cairo_fill_preserve(cr);
            set_colour(cr, faint);
            cairo_stroke(cr);
        } else {
            cairo_fill(cr);
        }
        set_font(cr, fmin(TEXT, 0.75 * pitch), false);
        put_text(cr, x + 44, y + 5, 0, published ? "published" : "measured here");
    }
}

/* ---- panel and page ---- */

static void draw_panel(cairo_t *cr, const struct plot_panel *panel, struct box page)
{
    bool lying = panel->x.category;
    const struct plot_axis *across = lying ? &panel->y : &panel->x,
                           *up = lying ? &panel->x : &panel->y;
    double left = fmin(widest_label(cr, up), 0.4 * page.width) + 44;
    double legend = legend_width(cr, panel), right = legend > 0 ? legend + 24 : 30;
    struct box box = {page.x + left, page.y + (lying ? 70 : 92), 0, 0};
    box.width = page.width - left - right;
    box.height = page.y + page.height - 74 - box.y;

    set_colour(cr, ink);
    fit_font(cr, TITLE, true, page.width - 60, panel->title);
    put_text(cr, page.x + 30, page.y + 44, 0, panel->title);
    set_font(cr, TEXT, false);
    set_colour(cr, faint);
    put_text(cr, box.x + box.width / 2, box.y + box.height + 50, 0.5, across->title);
    if (!lying)
        put_text(cr, page.x + 30, box.y - 18, 0, up->title);

    draw_axis(cr, across, &box, true, false, 0);
    draw_axis(cr, up, &box, false, !lying, left - 24);
    set_colour(cr, faint);
    cairo_set_line_width(cr, 1);
    line(cr, box.x, box.y + box.height, box.x + box.width, box.y + box.height);
    line(cr, box.x, box.y, box.x, box.y + box.height);
    for (int published = 1; published >= 0; published--)
        for (size_t s = 0; s < panel->series_count; s++)
            if (panel->series[s].published == published)
                draw_series(cr, panel, &box, &panel->series[s]);
    if (needs_legend(panel))
        draw_legend(cr, panel, box.x + box.width + 24, box.y, box.height);
}

static void draw_foot(cairo_t *cr, const struct bench_report *report, double width, double y)
{
    const char *words[] = {"CPU", "CUDA"}, *machines[] = {report->cpu, report->cuda};
    int lines = (report->cpu != NULL) + (report->cuda != NULL);
    y += lines == 2 ? 18 : 28;
    for (int m = 0; m < 2; m++) {
        char *text = machines[m] ? text_format("%s: %s", words[m], machines[m]) : NULL;
        if (!text)
            continue;
        set_colour(cr, faint);
        fit_font(cr, SMALL, false, width - 260, text);
        put_text(cr, 30, y, 0, text);
        y += 19;
        free(text);
    }
    set_font(cr, SMALL, false);
    set_colour(cr, faint);
    put_text(cr, width - 30, y - (lines ? 19 : 0), 1, "gravreel " GRAVREEL_VERSION " bench");
}

struct page {
    size_t count, columns, rows;
    double panel_width, panel_height, width, height;
};

static struct page lay_out(size_t count)
{
    struct page page = {.count = count, .columns = count > 1 ? 2 : 1};
    page.rows = (count + page.columns - 1) / page.columns;
    page.panel_width = count > 1 ? PANEL_WIDTH : ALONE_WIDTH;
    page.panel_height = count > 1 ? PANEL_HEIGHT : ALONE_HEIGHT;
    page.width = page.panel_width * (double)page.columns;
    page.height = page.panel_height * (double)page.rows + FOOT;
    return page;
}

static void draw_page(cairo_t *cr, const struct bench_report *report,
                      const struct plot_panel *panels, const struct page *page)
{
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (size_t p = 0; p < page->count; p++)
        draw_panel(cr, &panels[p],
                   (struct box){page->panel_width * (double)(p % page->columns),
                                page->panel_height * (double)(p / page->columns), page->panel_width,
                                page->panel_height});
    draw_foot(cr, report, page->width, page->height - FOOT);
}

/* ---- the file ---- */

struct bytes {
    unsigned char *data;
    size_t size, room;
};

static cairo_status_t keep(void *user, const unsigned char *data, unsigned int size)
{
    struct bytes *bytes = user;
    if (bytes->size + size > bytes->room) {
        size_t room = 2 * (bytes->size + size);
        unsigned char *larger = realloc(bytes->data, room);
        if (!larger)
            return CAIRO_STATUS_NO_MEMORY;
        bytes->data = larger;
        bytes->room = room;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return CAIRO_STATUS_SUCCESS;
}

static enum status write_page(const struct bench_report *report, const struct plot_panel *panels,
                              size_t count, bool svg, const char *path)
{
    struct bytes bytes = {0};
    struct page page = lay_out(count);
    cairo_surface_t *surface =
        svg ? cairo_svg_surface_create_for_stream(keep, &bytes, page.width, page.height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)page.width, (int)page.height);
    cairo_t *cr = cairo_create(surface);
    draw_page(cr, report, panels, &page);
    cairo_status_t drawn = cairo_status(cr);
    cairo_destroy(cr);
    if (drawn == CAIRO_STATUS_SUCCESS && !svg)
        drawn = cairo_surface_write_to_png_stream(surface, keep, &bytes);
    cairo_surface_finish(surface);
    if (drawn == CAIRO_STATUS_SUCCESS)
        drawn = cairo_surface_status(surface);
    cairo_surface_destroy(surface);

    enum status status;
    if (drawn != CAIRO_STATUS_SUCCESS)
        status = status_fail(STATUS_RUNTIME, "the plot '%s' could not be drawn: %s", path,
                             cairo_status_to_string(drawn));
    else
        status = file_write(path, bytes.data, bytes.size);
    free(bytes.data);
    return status;
}

enum status bench_plot(const struct bench_report *report, const char *path)
{
    bool svg = strcmp(file_extension(path), "svg") == 0;
    if (!svg && strcmp(file_extension(path), "png") != 0)
        return status_fail(STATUS_USAGE,
                           "a plot is written as .svg or .png, and '%s' is neither; give it one of "
                           "these endings",
                           path);
    struct plot_panel *panels = calloc(report->table_count + 1, sizeof *panels);
    enum status status = STATUS_OK;
    size_t count = 0;
    for (size_t t = 0; panels && status == STATUS_OK && t < report->table_count; t++) {
        if (!plot_panel_make(&panels[count], report->tables[t]))
            status = status_fail(STATUS_RUNTIME, "no memory for the plot '%s'", path);
        else if (panels[count].series_count > 0)
            count++;
        else
            plot_panel_free(&panels[count]);
    }
    if (!panels)
        status = status_fail(STATUS_RUNTIME, "no memory for the plot '%s'", path);
    else if (status == STATUS_OK && count == 0)
        status = status_fail(STATUS_USAGE,
                             "there is nothing to plot in '%s': no table of this run holds a "
                             "number against an axis; choose another suite",
                             path);
    if (status == STATUS_OK)
        status = write_page(report, panels, count, svg, path);
    for (size_t p = 0; p < count; p++)
        plot_panel_free(&panels[p]);
    free(panels);
    return status;
}
