/* Scale and ticks of a chart's axis. Pure functions, thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { AXIS_TICKS = 96, AXIS_LABEL = 64 };

struct axis_tick {
    double at;
    bool major; /* with a label, if there is room */
    char label[AXIS_LABEL];
};

/* Values lie between low and high, with a margin. Ticks are in order. */
struct axis {
    bool log;
    double low, high;
    size_t tick_count;
    struct axis_tick ticks[AXIS_TICKS];
};

/* Logarithmic if all values are positive and span more than a decade, or with `log` whatever their
 * span. `from_zero`: a linear axis of values >= 0 begins at 0. `at_values`: the ticks are the
 * values themselves if there are no more than 14. Without values the axis is that of a single 0. */
struct axis axis_fit(size_t count, const double *values, bool log, bool from_zero, bool at_values);

/* Whole numbers from count - 1 at the low end to 0; categories beyond AXIS_TICKS have no tick. */
struct axis axis_categories(size_t count, const char (*names)[AXIS_LABEL]);

/* 0 at the low end of the axis, 1 at the high end. NAN for a value that is not on the axis. */
double axis_place(const struct axis *axis, double value);
