/* Texts from outside, such as file names, written so that they neither act on what shows them nor
 * end what they stand in. Control characters, also those that turn the direction of writing, and
 * bytes that are not UTF-8 become U+FFFD ('?' for a terminal), line breaks and tabs a space. NULL
 * is
 * "". Thread-safe. */
#ifndef CMD_REGRESSION_REPORT_ESCAPE_H
#define CMD_REGRESSION_REPORT_ESCAPE_H

#include <stdint.h>
#include <stdio.h>

/* The next character, harmless as above; 0 at the end. Moves on by at least a byte. */
uint32_t escape_next(const char **text);

/* Writes a character as UTF-8. */
void escape_put(FILE *out, uint32_t character);

/* For a terminal or a log: at most `room` columns, one per character, of which the last three are
 * dots where more was to come. Returns the columns written. */
int escape_terminal(FILE *out, const char *text, int room);

/* For HTML and XML, text or quoted attribute. */
void escape_markup(FILE *out, const char *text);

/* For Markdown as GitHub and GitLab read it: no emphasis, link, table, tag, mention or issue. */
void escape_markdown(FILE *out, const char *text);

/* As JSON's strings need it: valid UTF-8 with control characters kept. The caller frees it. */
char *escape_utf8(const char *text);

#endif
