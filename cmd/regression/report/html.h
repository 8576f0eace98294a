/* A report as one page that needs nothing else: no network, no other file, and for tables and
 * pictures no JavaScript either.
 *
 * Pictures that are PNG files, and clips that are MP4 or WebM files of at most HTML_CLIP_BYTES, are
 * embedded: of cases that do not pass, the worst frame of each first, as long as the page stays
 * within its budget. What is left out, or could not be read, is said. */
#ifndef CMD_REGRESSION_REPORT_HTML_H
#define CMD_REGRESSION_REPORT_HTML_H

#include "cmd/regression/judge/report.h"

#include <stddef.h>

enum { HTML_BYTES = 9500000, HTML_CLIP_BYTES = 2000000 };

/* Replaces the file in one step. json: the file of report_write_json, to which the page links;
 * NULL: none. */
enum status report_write_html(const struct report *report, const char *path, const char *json);

/* The page as a text that the caller frees; pictures may make it as large as `budget`. json: the
 * name of a file beside it, or NULL. */
char *report_html(const struct report *report, const char *json, size_t budget, size_t *size);

#endif
