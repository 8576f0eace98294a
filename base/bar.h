/* A progress bar in the terminal's last line, or a line every few seconds where there is no
 * terminal. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Writes the text, after a bar that shows `done` of `wanted` if the terminal is wide enough. */
void bar_format(uint64_t done, uint64_t wanted, const char *text, char *line, size_t size);

/* "1:02:03" or "2:03". */
void bar_duration(double seconds, char *text, size_t size);

/* "5.2 s", or from a minute on as bar_duration. */
void bar_seconds(double seconds, char *text, size_t size);

/* The progress of one task. Shows nothing in the first half second, so that short tasks are silent,
 * and nothing when the log level is below info. Not thread-safe. */
struct bar {
    const char *what; /* "simulating frame"; the numbers follow */
    double began, next_line;
};

void bar_begin(struct bar *bar, const char *what);

/* Shows that `done` of `wanted` parts, all of similar length, are done, and an estimate of the time
 * left. */
void bar_show(struct bar *bar, uint64_t done, uint64_t wanted);

/* Removes the bar. Accepts a zeroed one. */
void bar_end(struct bar *bar);
