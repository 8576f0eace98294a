/* A report as charts: one for each table that has plot axes, with the machine named at the foot. */
#pragma once

#include "cmd/bench/table.h"
#include "cmd/bench/chart/chart.h"

/* The chart of a table; without series if the table has no plot axes or no number to plot. */
struct chart bench_chart(const struct bench_table *table);

/* Writes the tables like chart_write; also STATUS_USAGE if no table has a number to plot. */
enum status bench_plot(const struct bench_report *report, const char *path);
