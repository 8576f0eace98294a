/* Small texts: parts of sentences, and paths. Thread-safe. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* asprintf that never returns NULL, see base/memory.h. The caller frees it. */
enum { TEXT_WORD = 32 };

char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_format_list(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Appends `name` to the list "a, b, c" in `list`, which begins as ""; what does not fit in `size`
 * bytes is cut off. */
void text_list(char *list, size_t size, const char *name);

/* Sets the thousands of a whole number apart, "65536" becomes "65,536"; `digits` has room for a
 * third more than its length. */
void text_thousands(char *digits);

/* A number without its fraction, thousands apart: "65,536". */
void text_whole(char *text, size_t size, double value);

/* Makes each CR LF of `size` bytes, which a NUL follows, an LF; returns the bytes that are left. */
size_t text_end_lines(char *text, size_t size);

/* A word of a command line that a shell reads back as the text: as it is where it holds nothing but
 * letters, digits and _./:=%+,- and in single quotes otherwise. The caller frees it. */
char *text_quoted(const char *text);

/* Prints the words of a text from column `indent` on, in lines of at most 79 columns, and a line
 * feed; the first line has `column` <= indent already. */
void text_wrap(FILE *file, int column, int indent, const char *text);

/* Bytes of the control character that begins here; 0: none does. Those of U+0080 to U+009F, two
 * bytes each, are some: there are terminals that obey them; and so are marks of direction (U+202E),
 * with which a name is read as another. */
int text_control(const char *at);

/* Writes a text that comes from outside: control characters appear as \x1b, so that it neither
 * steers a terminal nor, without `lines`, begins a line of its own. */
void text_put(FILE *file, const char *text, bool lines);

/* printf of such texts, with lines. */
void text_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "2G", "512M", "1.5GiB" or plain bytes; K, M, G and T are powers of 1024. STATUS_USAGE says what
 * was found, without naming the option. */
enum status text_parse_bytes(const char *text, uint64_t *bytes);

/* A whole number of 1 to 18 digits and nothing else; false for anything else. */
bool text_parse_digits(const char *text, size_t length, uint64_t *out);

/* "A..B", "A..", "..B", both included, or "N": so many from the first on. */
struct text_range {
    bool has_first, has_last, has_count;
    uint64_t first, last; /* 0 and UINT64_MAX where they are not given */
    uint64_t count;
};

/* STATUS_USAGE, with `option` ("--frames") in the sentence, for anything else. */
enum status text_parse_range(const char *option, const char *text, struct text_range *out);

/* "star" for exactly one of "stars", "body" of "bodies", else the word as it is. */
const char *text_of_count(const char *plural, double count, char room[TEXT_WORD]);

#endif
