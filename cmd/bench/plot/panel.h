/* What a table becomes before it is drawn: series, scales, ticks. Knows nothing of drawing. */
#ifndef CMD_BENCH_PLOT_PANEL_H
#define CMD_BENCH_PLOT_PANEL_H

#include "cmd/bench/bench.h"

enum { PLOT_TICKS = 96, PLOT_LABEL = 64 };

struct plot_tick {
    double at;
    bool major; /* with a label, where there is room */
    char label[PLOT_LABEL];
};

/* Numbers lie between low and high. Logarithmic when all are positive and span more than a decade,
 * or when the table asks for it. Categories are the whole numbers from 0, in the order of the rows.
 */
struct plot_axis {
    bool log, category;
    double low, high;
    char title[2 * PLOT_LABEL];
    size_t tick_count;
    struct plot_tick ticks[PLOT_TICKS];
};

/* Series of one family share a colour: what was measured and what was published of the same. */
struct plot_series {
    size_t family;
    bool published;
    size_t count;
    double *x, *y; /* y NAN: a gap */
};

struct plot_panel {
    const char *title; /* of the table */
    struct plot_axis x, y;
    size_t series_count, family_count;
    struct plot_series *series;
    char (*families)[PLOT_LABEL];  /* names for the legend */
    char legend_title[PLOT_LABEL]; /* heading of the group column */
    bool measured, published;      /* which of the two there are */
};

/* False when memory is short. A table without plot axes or numbers gives a panel without series. */
bool plot_panel_make(struct plot_panel *panel, const struct bench_table *table);
void plot_panel_free(struct plot_panel *panel);

/* 0 at the low end of the axis, 1 at the high end. */
double plot_place(const struct plot_axis *axis, double value);

#endif
