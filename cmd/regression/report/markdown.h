/* Writes a report as Markdown for a pull request: the verdict, a row of stages per case, what
 * failed first, and the commands to reproduce and accept it. */
#pragma once

#include "cmd/regression/judge/report.h"

enum { MARKDOWN_LINES = 20 };

/* Writes at most MARKDOWN_LINES lines, and counts what does not fit. Replaces the file in one step;
 * NULL: standard output. */
enum status report_write_markdown(const struct report *report, const char *path);
