#include "cmd/bench/chart/axis.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_TICKS = 14, DECADES_MAX = 24 };

double axis_place(const struct axis *axis, double value)
{
    if (!axis->log)
        return (value - axis->low) / (axis->high - axis->low);
    return value > 0 ? log(value / axis->low) / log(axis->high / axis->low) : NAN;
}

/* ---- ticks ---- */

/* "64,000", "0.05", "1e9". */
static void write_number(double value, char label[AXIS_LABEL])
{
    double size = fabs(value);
    if (size != 0 && (size >= 1e7 || size < 1e-4)) {
        int exponent = (int)floor(log10(size) + 1e-9);
        snprintf(label, AXIS_LABEL, "%ge%d", value / pow(10, exponent), exponent);
    } else if (value == floor(value)) {
        text_whole(label, AXIS_LABEL, value);
    } else {
        snprintf(label, AXIS_LABEL, "%.6g", value);
    }
}

static void add_tick(struct axis *axis, double at, bool major)
{
    double place = axis_place(axis, at);
    if (!(place >= -1e-9 && place <= 1 + 1e-9) || axis->tick_count == AXIS_TICKS)
        return;
    struct axis_tick *tick = &axis->ticks[axis->tick_count++];
    tick->at = at == 0 ? 0 : at; /* avoids -0 */
    tick->major = major;
    write_number(tick->at, tick->label);
}

static void log_ticks(struct axis *axis)
{
    double decades = log10(axis->high / axis->low);
    int first = (int)floor(log10(axis->low)), step = 1 + (int)(decades / 9);
    for (int e = first; e <= first + (int)decades + 1; e++)
        for (int m = 1; m < (decades < 6 ? 10 : 2); m++)
            add_tick(axis, m * pow(10, e),
                     m == 1 ? e % step == 0 : (m == 2 || m == 5) && decades < 2);
}

static void linear_ticks(struct axis *axis)
{
    double raw = (axis->high - axis->low) / 6, power = pow(10, floor(log10(raw))), m = raw / power;
    double step = power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
    for (double k = ceil(axis->low / step - 1e-9); k * step <= axis->high + 1e-9 * step; k++)
        add_tick(axis, k * step, true);
}

/* Uses the values themselves as ticks, since 16,000 as an actual N is more useful than a round
 * 20,000. False if there are too many values. */
static bool own_ticks(struct axis *axis, size_t count, const double *sorted)
{
    size_t different = 0;
    for (size_t v = 0; v < count; v++)
        different += v == 0 || sorted[v] != sorted[v - 1];
    for (size_t v = 0; different <= OWN_TICKS && v < count; v++)
        if (v == 0 || sorted[v] != sorted[v - 1])
            add_tick(axis, sorted[v], true);
    return different <= OWN_TICKS;
}

/* ---- scale ---- */

static void scale(struct axis *axis, double least, double most, bool log, bool from_zero)
{
    double span = least > 0 ? most / least : 0, size = most - least;
    axis->log = span > 10 || (log && span >= 1 && log10(most) < DECADES_MAX);
    if (axis->log) {
        double margin = span < 1.5 ? 1.5 : pow(span, 0.04);
        axis->low = least / margin;
        axis->high = most * margin;
        return;
    }
    double margin = size > 0 ? 0.05 * size : fmax(0.1 * fabs(most), 1e-3);
    bool zero = from_zero && least >= 0;
    axis->low = zero ? 0 : least - margin;
    axis->high = zero ? 1.08 * most : most + margin;
    if (axis->high <= axis->low)
        axis->high = axis->low + 1;
}

struct axis axis_fit(size_t count, const double *values, bool log, bool from_zero, bool at_values)
{
    struct axis axis = {0};
    double *sorted = memory_new(count + 1, sizeof *sorted);
    if (count > 0)
        memcpy(sorted, values, count * sizeof *sorted);
    sort_doubles(sorted, count);
    scale(&axis, sorted[0], sorted[count > 0 ? count - 1 : 0], log, from_zero);
    if (!at_values || !own_ticks(&axis, count, sorted))
        (axis.log ? log_ticks : linear_ticks)(&axis);
    free(sorted);
    return axis;
}

struct axis axis_categories(size_t count, const char (*names)[AXIS_LABEL])
{
    struct axis axis = {.low = (double)count - 0.5, .high = -0.5};
    for (size_t c = 0; c < count && c < AXIS_TICKS; c++) {
        struct axis_tick *tick = &axis.ticks[axis.tick_count++];
        tick->at = (double)c;
        tick->major = true;
        memcpy(tick->label, names[c], AXIS_LABEL);
    }
    return axis;
}
