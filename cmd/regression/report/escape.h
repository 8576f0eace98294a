/* Escapes texts from outside, such as file names, so that they neither control what displays them
 * nor end the string or element that they are in. Control characters, including those that change
 * the direction of writing, and bytes that are not UTF-8 become U+FFFD ('?' for a terminal); line
 * breaks and tabs become a space. NULL means "". Thread-safe. */
#pragma once

#include <stdint.h>
#include <stdio.h>

/* Returns the next character, made harmless as above; 0 at the end. Advances by at least one
 * byte. */
uint32_t escape_next(const char **text);

/* Writes a character as UTF-8. */
void escape_put(FILE *out, uint32_t character);

/* For a terminal or a log: writes at most `room` columns, one per character. A text that is cut off
 * ends with three dots within them. Returns the number of columns written. */
int escape_terminal(FILE *out, const char *text, int room);

/* For HTML and XML: text or quoted attribute. */
void escape_markup(FILE *out, const char *text);

/* For Markdown as read by GitHub and GitLab: no emphasis, link, table, tag, mention or issue. */
void escape_markdown(FILE *out, const char *text);

/* For a JSON string: valid UTF-8 with control characters kept. The caller frees it. */
char *escape_utf8(const char *text);
