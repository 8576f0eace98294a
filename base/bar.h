/* How far something is: a bar in the terminal's last line, or a line every few seconds where there
 * is no terminal. */
#ifndef BASE_BAR_H
#define BASE_BAR_H

#include <stddef.h>
#include <stdint.h>

/* A bar that is full for `done` of `wanted`, where the terminal is wide enough for one, then the
 * text. */
void bar_format(uint64_t done, uint64_t wanted, const char *text, char *line, size_t size);

/* "1:02:03" or "2:03". */
void bar_duration(double seconds, char *text, size_t size);

/* Of one task. Says nothing in its first half second, so that what is short is silent. Nothing is
 * shown below the level info. Not thread-safe. */
struct bar {
    const char *what; /* "simulating frame"; the numbers follow */
    double began, next_line;
};

void bar_begin(struct bar *bar, const char *what);

/* `done` of `wanted` parts, all about as long, are done: shows them and the time that is left. */
void bar_show(struct bar *bar, uint64_t done, uint64_t wanted);

/* Removes the bar. Accepts a zeroed one. */
void bar_end(struct bar *bar);

#endif
