/* A report as a picture: one panel for each table that has plot axes, side by side and below each
 * other, with the machine named at the foot. */
#ifndef CMD_BENCH_PLOT_PLOT_H
#define CMD_BENCH_PLOT_PLOT_H

#include "cmd/bench/bench.h"

/* SVG or PNG by the extension of `path`, which is replaced as a whole or not at all. STATUS_USAGE
 * for another extension, or when no table holds a number to plot; STATUS_IO when the file cannot be
 * written. */
enum status bench_plot(const struct bench_report *report, const char *path);

#endif
