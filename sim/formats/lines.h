/* Lines of a text file that may be packed, in bounded memory however long the lines are. A byte
 * order mark of UTF-8 is skipped. */
#ifndef SIM_FORMATS_LINES_H
#define SIM_FORMATS_LINES_H

#include "base/status.h"

#include <stddef.h>

enum { TABLE_LINE_MAX = 32768 };

struct table_lines;

/* STATUS_IO when the file cannot be opened. Keeps `path`, which must outlive it. */
enum status table_lines_open(struct table_lines **out, const char *path);
void table_lines_close(struct table_lines **lines); /* accepts a pointer to NULL */

/* The next line, without its end (LF or CRLF; the last may lack it), valid until the next call;
 * NULL at the end. STATUS_IO as body_input_read, STATUS_USAGE for a line beyond TABLE_LINE_MAX
 * bytes or with a zero byte. */
enum status table_lines_next(struct table_lines *lines, char **line);

size_t table_lines_number(const struct table_lines *lines); /* of the last line, from 1 */

/* The bytes of the mark that some programs begin UTF-8 with; 0: there is none. */
size_t table_lines_mark(const char *text, size_t size);

#endif
