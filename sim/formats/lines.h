/* Lines of a text file, which may be packed, in bounded memory for any length of line. Skips a
 * UTF-8 byte order mark. */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { TABLE_LINE_MAX = 32768 };

struct table_lines;

/* STATUS_IO when the file cannot be opened. Keeps `path`, which must outlive it. */
enum status table_lines_open(struct table_lines **out, const char *path);
void table_lines_close(struct table_lines **lines); /* accepts a pointer to NULL */

/* The next line, without its end (LF or CRLF; the last line may lack it), valid until the next
 * call; NULL at the end. STATUS_IO as in body_input_read, STATUS_USAGE for a line longer than
 * TABLE_LINE_MAX bytes or with a zero byte. */
enum status table_lines_next(struct table_lines *lines, char **line);

size_t table_lines_number(const struct table_lines *lines); /* of the last line, counted from 1 */

/* Length of the UTF-8 byte order mark at the beginning; 0: there is none. */
size_t table_lines_mark(const char *text, size_t size);
