/* Charts: series of points on linear, logarithmic or category axes, as SVG or PNG.
 *
 * Fill a chart with the functions below, write it and free it. `{0}` is an empty chart. Text is
 * copied and truncated to the size of its field; a failed small allocation ends the program. A
 * chart is used by one thread at a time; different charts are independent. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHART_NAME = 64, CHART_TITLE = 160 };

struct chart_series {
    char name[CHART_NAME];
    bool dashed;   /* dashed line and hollow markers, for reference series */
    size_t family; /* number of the family: series of one family share colour and marker */
    size_t count;
    double (*points)[2]; /* [count] x, y; y NAN: a gap in the line */
};

struct chart {
    char title[CHART_TITLE], x_title[CHART_TITLE], y_title[CHART_TITLE];
    char note[CHART_TITLE];  /* small, above the chart on the right */
    char legend[CHART_NAME]; /* heading of the legend; a single family has a legend only with a
                              * heading */
    bool log_x, log_y;       /* logarithmic whatever the span of the values, if all are > 0 */
    size_t category_count;   /* if not 0: x counts categories, from the top; y runs to the right */
    char (*categories)[CHART_NAME];
    size_t series_count, family_count;
    struct chart_series *series;
};

/* A series without points, valid until the next one is added. */
struct chart_series *chart_add_series(struct chart *chart, const char *name, bool dashed);
void chart_add_point(struct chart_series *series, double x, double y);

/* The x of a category, which is added at the end unless it exists already. */
double chart_category(struct chart *chart, const char *name);

void chart_free(struct chart *chart); /* leaves it empty */

/* STATUS_USAGE unless the path ends in .svg or .png; call it before long work. */
enum status chart_check_path(const char *path);

/* Draws `count` >= 1 charts and writes them as SVG or PNG, by the extension of `path`; the file is
 * replaced as a whole or not at all. One chart is 1200 x 740 pixels, several 1000 x 680 each, two
 * per row. `notes` is NULL-terminated, one line each at the bottom left; `signature` is at the
 * bottom right. STATUS_USAGE as above, STATUS_IO if the file cannot be written. Thread-safe. */
enum status chart_write(const struct chart *charts, size_t count, const char *const *notes,
                        const char *signature, const char *path);
