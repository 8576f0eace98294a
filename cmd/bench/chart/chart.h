/* Charts: series of points on linear, logarithmic or category axes, as SVG or PNG.
 *
 * Fill one with the functions below, write it and free it. `{0}` is an empty chart. Words are
 * copied and cut off at the size of their place; small allocations end the program when they fail.
 * One thread may use a chart at a time; different charts are independent. */
#ifndef CMD_BENCH_CHART_CHART_H
#define CMD_BENCH_CHART_CHART_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHART_NAME = 64, CHART_TITLE = 160 };

struct chart_series {
    char name[CHART_NAME];
    bool dashed;   /* dashed line and hollow markers, for what the others are compared with */
    size_t family; /* counts the names: series of one name share colour and marker */
    size_t count;
    double (*points)[2]; /* [count] x, y; y NAN: a gap in the line */
};

struct chart {
    char title[CHART_TITLE], x_title[CHART_TITLE], y_title[CHART_TITLE];
    char note[CHART_TITLE];  /* small, above the chart on the right */
    char legend[CHART_NAME]; /* its heading; a single family has a legend only with one */
    bool log_x, log_y;       /* logarithmic however little the values span, if all are > 0 */
    size_t category_count;   /* not 0: x counts categories, from the top; y runs to the right */
    char (*categories)[CHART_NAME];
    size_t series_count, family_count;
    struct chart_series *series;
};

/* A series without points, valid until the next one is added. */
struct chart_series *chart_add_series(struct chart *chart, const char *name, bool dashed);
void chart_add_point(struct chart_series *series, double x, double y);

/* The x of a category, added behind the others unless there is one of that name. */
double chart_category(struct chart *chart, const char *name);

void chart_free(struct chart *chart); /* leaves it empty */

/* STATUS_USAGE unless the path ends in .svg or .png; to be asked before long work. */
enum status chart_check_path(const char *path);

/* Draws `count` charts, one or more, and writes them as SVG or PNG by the extension of `path`,
 * whose file is replaced as a whole or not at all. One chart is 1200 x 740 pixels, several 1000 x
 * 680 each, two in a row. `notes` is NULL-terminated, a line each at the foot on the left;
 * `signature` is on the right. STATUS_USAGE as above, STATUS_IO when the file cannot be written.
 * Thread-safe. */
enum status chart_write(const struct chart *charts, size_t count, const char *const *notes,
                        const char *signature, const char *path);

#endif
