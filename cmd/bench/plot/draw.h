/* What a plot is drawn with: words, lines, series, axes, legends. Thread-safe for different
 * cairo_t. */
#ifndef CMD_BENCH_PLOT_DRAW_H
#define CMD_BENCH_PLOT_DRAW_H

#include "cmd/bench/plot/panel.h"

#include <cairo.h>

/* Sizes of letters and markers, in units of the page. */
#define PLOT_TEXT   15.0
#define PLOT_SMALL  13.0
#define PLOT_TITLE  20.0
#define PLOT_MARKER 5.0

struct box {
    double x, y, width, height;
};

extern const double plot_ink[3], plot_faint[3];

/* The next strokes and letters; an adjustable size: the largest up to `size` that fits in `room`.
 */
void plot_set_colour(cairo_t *cr, const double colour[3]);
void plot_set_font(cairo_t *cr, double size, bool bold);
/* `align` 0: begins at x, 0.5: is centred on it, 1: ends there. */
void plot_put_text(cairo_t *cr, double x, double y, double align, const char *text);
void plot_fit_font(cairo_t *cr, double size, bool bold, double room, const char *text);
void plot_line(cairo_t *cr, double x0, double y0, double x1, double y1);

/* Colour and shape tell the family of a series; a published one is dashed and hollow. */
void plot_draw_series(cairo_t *cr, const struct plot_panel *panel, const struct box *box,
                      const struct plot_series *series);

/* `across`: the axis runs from left to right. `flip`: its low end is at the bottom. `room`: for the
 * labels of a vertical one. */
void plot_draw_axis(cairo_t *cr, const struct plot_axis *axis, const struct box *box, bool across,
                    bool flip, double room);
double plot_widest_label(cairo_t *cr, const struct plot_axis *axis);

/* A legend is left out when the title or an axis says it all; its width is 0 then. */
bool plot_needs_legend(const struct plot_panel *panel);
double plot_legend_width(cairo_t *cr, const struct plot_panel *panel);
void plot_draw_legend(cairo_t *cr, const struct plot_panel *panel, double x, double y,
                      double height);

#endif
