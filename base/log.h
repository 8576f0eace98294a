/* Messages for the person at the terminal, on stderr.
 *
 * Thread-safe. Levels are ordered; messages above the chosen level are dropped. The last terminal
 * line may hold a progress bar; messages appear above it. A warning appears once per process,
 * because a command that renders a film many times would repeat it. Colour is used only on a
 * terminal, never with NO_COLOR set or TERM=dumb.
 *
 * Control characters in names appear as \x1b. So do line feeds, unless the message's format itself
 * contains some. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

void log_set_level(enum log_level level);
/* Makes this process show errors only from now on, whatever level is set later. */
void log_only_errors(void);
enum log_level log_get_level(void);

/* "error", "warning", "info" or "debug"; false for any other word. */
bool log_level_from_name(const char *name, enum log_level *level);

void log_message(enum log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, unless this process has already shown this text. Warnings are always treated like
 * this. */
void log_message_once(enum log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts "PART: " before this thread's messages, until it is NULL: "panel 2". Copied. */
void log_set_part(const char *part);

#define log_error(...)     log_message(LOG_ERROR, __VA_ARGS__)
#define log_warning(...)   log_message(LOG_WARNING, __VA_ARGS__)
#define log_info(...)      log_message(LOG_INFO, __VA_ARGS__)
#define log_debug(...)     log_message(LOG_DEBUG, __VA_ARGS__)
#define log_info_once(...) log_message_once(LOG_INFO, __VA_ARGS__)

/* Whether stderr is a terminal that can move its cursor. */
bool log_is_terminal(void);

/* Shows a copy of `text` as the last line, replacing the previous one; "" removes it. One column
 * per character, narrower than the terminal, at most LOG_LINE_MAX - 1. Only for a terminal. */
enum { LOG_LINE_MAX = 512 };
void log_set_line(const char *text);

/* ---- a progress bar in that line, or a message every few seconds where there is no terminal ----
 */

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
