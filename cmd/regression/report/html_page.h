/* Writes a report as one self-contained page, which needs no network and no other file: the report
 * as JSON, which a script (report.js) draws, and the pictures. Without JavaScript, the page shows
 * the text of the report and the pictures.
 *
 * PNG pictures, and clips in MP4 or WebM of at most HTML_CLIP_BYTES, are embedded as long as the
 * page stays within its budget, only for cases that do not pass: first the worst frame of each
 * case, then the clips, then the other frames, and last their differences, which the script can
 * compute. Files are recognized by content, never by name. The page says what was left out or could
 * not be read. */
#pragma once

#include "cmd/regression/judge/report.h"

#include <stddef.h>

enum { HTML_BYTES = 9500000, HTML_CLIP_BYTES = 2000000 };

/* Replaces the file in one step. json: the file of report_write_json, to which the page links;
 * NULL: no link. */
enum status report_write_html(const struct report *report, const char *path, const char *json);

/* Returns the page as a text that the caller frees; pictures may make it as large as `budget`.
 * json: name of a file beside the page, or NULL. */
char *report_html(const struct report *report, const char *json, size_t budget, size_t *size);
