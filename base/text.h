/* Small texts: parts of sentences, and paths. Thread-safe. */
#pragma once

#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TEXT_WORD = 32 };

/* asprintf that never returns NULL, see base/memory.h. The caller frees it. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_format_list(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Appends to the allocated text *text, which may move; NULL counts as "". `between` is put before
 * the new part unless *text is empty. */
void text_append(char **text, const char *between, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* text_begin opens a stream that collects a text in memory; after text_end the text is complete,
 * and the caller frees it. Neither fails, see base/memory.h. */
FILE *text_begin(char **text, size_t *size);
void text_end(FILE *file);

/* Appends `name` to the list "a, b, c" in `list`, initially ""; truncates at `size` bytes. */
void text_list(char *list, size_t size, const char *name);

/* Inserts thousands separators into a whole number: "65536" becomes "65,536". `digits` has room for
 * a third more than its length. */
void text_thousands(char *digits);

/* A number rounded to a whole one, with thousands separators: "65,536". */
void text_whole(char *text, size_t size, double value);

/* Replaces each CR LF in `size` bytes, which a NUL follows, by LF; returns the remaining size. */
size_t text_end_lines(char *text, size_t size);

/* Whether the text is longer than `end` and ends with it. */
bool text_ends_with(const char *text, const char *end);

/* Quotes a text as one word of a shell command line: unchanged if it contains only letters, digits
 * and _./:=%+,- and in single quotes otherwise. The caller frees it. */
char *text_quoted(const char *text);

/* Bytes as digits of base64; the caller frees the text. *length: its length. */
char *text_base64(const void *bytes, size_t size, size_t *length);

/* Prints a text wrapped into lines of at most 79 columns, indented by `indent`, and a line feed;
 * the first line has already reached `column` <= indent. */
void text_wrap(FILE *file, int column, int indent, const char *text);

/* The next character of UTF-8 by RFC 3629: no overlong forms, surrogates or numbers above U+10FFFF.
 * Advances *text past it; past one byte, TEXT_NO_CHARACTER, where there is none; 0 at the end. */
#define TEXT_NO_CHARACTER UINT32_MAX
uint32_t text_character(const char **text);

/* Length in bytes of the control character at `at`; 0: there is none. Includes U+0080 to U+009F
 * (two bytes each), which some terminals obey, and direction marks (U+202E), which can disguise a
 * name. */
int text_control(const char *at);

/* Writes a text from outside: control characters appear as \x1b, so that it cannot control a
 * terminal or, unless `lines`, begin a new line. */
void text_put(FILE *file, const char *text, bool lines);

/* printf of such texts, with `lines`. */
void text_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Parses "2G", "512M", "1.5GiB" or a plain number of bytes; K, M, G and T are powers of 1024.
 * STATUS_USAGE, with `option` ("--memory") in the message, for anything else. */
enum status text_parse_bytes(const char *option, const char *text, uint64_t *bytes);

/* Parses a whole number of 1 to 18 digits; false for anything else. */
bool text_parse_digits(const char *text, size_t length, uint64_t *out);

/* "A..B", "A..", "..B", both ends included, or "N": the first N. */
struct text_range {
    bool has_first, has_last, has_count;
    uint64_t first, last; /* 0 and UINT64_MAX if not given */
    uint64_t count;
};

/* STATUS_USAGE, with `option` ("--frames") in the message, for anything else. */
enum status text_parse_range(const char *option, const char *text, struct text_range *out);

/* "star" for exactly one of "stars", "body" for "bodies", otherwise the word unchanged. */
const char *text_of_count(const char *plural, double count, char room[TEXT_WORD]);

/* Manual pages in the format of man(7). Each function prints whole lines. */

/* The head of a page, with its NAME. `section` of the manual: 1 commands, 5 files. */
void roff_title(FILE *file, const char *name, int section, const char *doc);

/* .SH, in capitals. */
void roff_section(FILE *file, const char *title);

/* A term in bold; its text follows, indented. */
void roff_term(FILE *file, const char *term);

/* Text on one or more output lines: escaped, with `words` in bold. Empty text prints nothing. */
void roff_text(FILE *file, const char *text);

/* A line as it is, without filling; the caller adds `.nf` and `.fi`. */
void roff_literal(FILE *file, const char *line);

/* Translates the Markdown that this project uses: headings after the first, paragraphs, tables of
 * two columns, code blocks. The first heading is left out, because a page has its own. */
void roff_markdown(FILE *file, const char *text);
