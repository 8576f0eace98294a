/* The text of a report: every other view, and `baseline --accept`, is derived from this data.
 *
 *     {"format": 2, "program": "gravreel 1.0.0", "command": "check", "verdict": "changed",
 *      "cases": [{"id": "default", "name": "default", ..., "stages": [seven, in order], ...}]}
 *
 * Keys come in a fixed order, beginning with the format's number. The same report always gives the
 * same bytes, and reading a file and writing it again reproduces it. Numbers have 17 digits. null
 * means not measured, not present or, as a frame, the whole film; "inf" is a limit that is never
 * reached. phrases.h makes the ids. */
#pragma once

#include "cmd/regression/judge/report.h"

enum { REPORT_FORMAT = 2 };

/* Replaces the file in one step. NULL: standard output. Bytes that are not UTF-8 are replaced by
 * U+FFFD. */
enum status report_write_json(const struct report *report, const char *path);

/* Returns the text, NULL if it does not fit in memory; the caller frees it. `dense`: with a line
 * per entry of a list, for a script to read. */
char *report_to_json(const struct report *report, bool dense);

/* Fills in a report that report_free frees; it is empty after a failure. Returns STATUS_USAGE, with
 * the place in the file in the message, for anything that report_write_json does not write,
 * including another format. */
enum status report_read_json(struct report *report, const char *path);
