/* Lines of a text file, which may be packed, in bounded memory for any length of line. The text is
 * UTF-8 or UTF-16, with or without a byte order mark; a line ends with LF, CRLF or CR. */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { TABLE_LINE_MAX = 32768 };

struct table_lines;

/* STATUS_IO when the file cannot be opened. Keeps `path`, which must outlive it. */
enum status table_lines_open(struct table_lines **out, const char *path);
void table_lines_close(struct table_lines **lines); /* accepts a pointer to NULL */

/* The next line as UTF-8, without its end (which the last line may lack), valid until the next
 * call; NULL at the end. STATUS_IO as in body_input_read, STATUS_USAGE for a line longer than
 * TABLE_LINE_MAX bytes or with a zero byte, for UTF-32 and for half a character of UTF-16. */
enum status table_lines_next(struct table_lines *lines, char **line);

size_t table_lines_number(const struct table_lines *lines); /* of the last line, counted from 1 */

/* A file's beginning as UTF-8 without a byte order mark, in lines that end with LF. `out` has room
 * for 2 * size bytes; returns how many it has. */
size_t table_lines_plain(const unsigned char *bytes, size_t size, char *out);
