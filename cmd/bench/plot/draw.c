#include "cmd/bench/plot/draw.h"

#include <math.h>
#include <string.h>

enum { LEGEND_MAX = 250, LABELS_MAX = 128 };

/* Okabe and Ito's colours, told apart by people with any kind of colour vision, without their
 * yellow, which is faint on white, and with a grey. */
static const double palette[][3] = {
    {0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
    {0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}, {0.10, 0.10, 0.10}, {0.55, 0.55, 0.55},
};

const double plot_ink[3] = {0.13, 0.13, 0.13}, plot_faint[3] = {0.42, 0.42, 0.42};
static const double grid[3] = {0.85, 0.85, 0.85}, fine_grid[3] = {0.94, 0.94, 0.94};

void plot_set_colour(cairo_t *cr, const double colour[3])
{
    cairo_set_source_rgb(cr, colour[0], colour[1], colour[2]);
}

static const double *family_colour(size_t family)
{
    return palette[family % (sizeof palette / sizeof *palette)];
}

/* ---- words and lines ---- */

void plot_set_font(cairo_t *cr, double size, bool bold)
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
void plot_put_text(cairo_t *cr, double x, double y, double align, const char *text)
{
    cairo_move_to(cr, x - align * text_width(cr, text), y);
    cairo_show_text(cr, text);
}

/* The largest size up to `size` at which the text is no wider than `room`. */
void plot_fit_font(cairo_t *cr, double size, bool bold, double room, const char *text)
{
    plot_set_font(cr, size, bold);
    double width = text_width(cr, text);
    if (width > room)
        plot_set_font(cr, size * room / width, bold);
}

void plot_line(cairo_t *cr, double x0, double y0, double x1, double y1)
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
        cairo_arc(cr, x, y, PLOT_MARKER, 0, 2 * pi);
    for (int s = 0; s < sides[shape]; s++) {
        double angle = 2 * pi * (s + (sides[shape] == 4 ? 2 : 1) * turn[shape]) / sides[shape];
        if (sides[shape] == 3)
            angle = 2 * pi * ((double)s / 3 + turn[shape]);
        cairo_line_to(cr, x + 1.25 * PLOT_MARKER * cos(angle), y + 1.25 * PLOT_MARKER * sin(angle));
    }
    cairo_close_path(cr);
    if (hollow)
        cairo_set_source_rgb(cr, 1, 1, 1);
    else
        plot_set_colour(cr, family_colour(family));
    cairo_fill_preserve(cr);
    plot_set_colour(cr, family_colour(family));
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

void plot_draw_series(cairo_t *cr, const struct plot_panel *panel, const struct box *box,
                      const struct plot_series *series)
{
    double at[2];
    bool pen_down = false;
    plot_set_colour(cr, family_colour(series->family));
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
void plot_draw_axis(cairo_t *cr, const struct plot_axis *axis, const struct box *box, bool across,
                    bool flip, double room)
{
    double taken[LABELS_MAX][2], bottom = box->y + box->height;
    size_t places = 0;
    plot_set_font(cr, PLOT_TEXT, false);
    for (size_t t = 0; t < axis->tick_count; t++) {
        const struct plot_tick *tick = &axis->ticks[t];
        double place = plot_place(axis, tick->at), width = text_width(cr, tick->label);
        double at = across ? box->x + place * box->width
                           : box->y + (flip ? 1 - place : place) * box->height;
        double reach = across ? width / 2 + 4 : 9;
        plot_set_colour(cr, tick->major ? grid : fine_grid);
        cairo_set_line_width(cr, 1);
        if (across)
            plot_line(cr, at, box->y, at, bottom);
        else
            plot_line(cr, box->x, at, box->x + box->width, at);
        if (!tick->major || !take_place(taken, &places, at - reach, at + reach))
            continue;
        plot_set_colour(cr, plot_ink);
        if (across) {
            plot_put_text(cr, at, bottom + 23, 0.5, tick->label);
        } else {
            plot_fit_font(cr, PLOT_TEXT, false, room, tick->label);
            plot_put_text(cr, box->x - 10, at + 5, 1, tick->label);
        }
    }
}

double plot_widest_label(cairo_t *cr, const struct plot_axis *axis)
{
    double widest = 0;
    plot_set_font(cr, PLOT_TEXT, false);
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

bool plot_needs_legend(const struct plot_panel *panel)
{
    return families_named(panel) || panel->published;
}

double plot_legend_width(cairo_t *cr, const struct plot_panel *panel)
{
    double widest = 0;
    if (!plot_needs_legend(panel))
        return 0;
    plot_set_font(cr, PLOT_TEXT, false);
    for (size_t f = 0; families_named(panel) && f < panel->family_count; f++)
        widest = fmax(widest, text_width(cr, panel->families[f]));
    widest = fmax(widest, text_width(cr, panel->legend_title) - 44);
    if (panel->published)
        widest = fmax(widest, text_width(cr, "measured here"));
    return fmin(widest, LEGEND_MAX) + 66;
}

void plot_draw_legend(cairo_t *cr, const struct plot_panel *panel, double x, double y,
                      double height)
{
    size_t families = families_named(panel) ? panel->family_count : 0, rows = families + 4;
    double pitch = fmin(26, height / (double)rows);
    y += 10;
    plot_set_colour(cr, plot_faint);
    plot_fit_font(cr, fmin(PLOT_TEXT, 0.75 * pitch), false, LEGEND_MAX + 44, panel->legend_title);
    plot_put_text(cr, x, y + 5, 0, panel->legend_title);
    y += panel->legend_title[0] ? pitch : 0;
    for (size_t f = 0; f < families; f++, y += pitch) {
        bool published = only_published(panel, f);
        plot_set_colour(cr, family_colour(f));
        legend_line(cr, panel, x, y, published);
        marker(cr, x + 17, y, f, published);
        plot_set_colour(cr, plot_ink);
        plot_fit_font(cr, fmin(PLOT_TEXT, 0.75 * pitch), false, LEGEND_MAX, panel->families[f]);
        plot_put_text(cr, x + 44, y + 5, 0, panel->families[f]);
    }
    if (!panel->published)
        return;
    y += families ? pitch / 2 : 0;
    for (int published = panel->measured ? 0 : 1; published < 2; published++, y += pitch) {
        plot_set_colour(cr, plot_faint);
        legend_line(cr, panel, x, y, published);
        cairo_new_path(cr);
        cairo_arc(cr, x + 17, y, PLOT_MARKER, 0, 7);
        if (published) {
            cairo_set_source_rgb(cr, 1, 1, 1);
            cairo_fill_preserve(cr);
            plot_set_colour(cr, plot_faint);
            cairo_stroke(cr);
        } else {
            cairo_fill(cr);
        }
        plot_set_font(cr, fmin(PLOT_TEXT, 0.75 * pitch), false);
        plot_put_text(cr, x + 44, y + 5, 0, published ? "published" : "measured here");
    }
}
