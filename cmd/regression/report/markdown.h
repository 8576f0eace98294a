/* A report as Markdown for a pull request: verdict, a row of stages per case, what failed first,
 * and the lines to reproduce and accept it. */
#ifndef CMD_REGRESSION_REPORT_MARKDOWN_H
#define CMD_REGRESSION_REPORT_MARKDOWN_H

#include "cmd/regression/judge/report.h"

enum { MARKDOWN_LINES = 20 };

/* At most MARKDOWN_LINES lines; what does not fit is counted. Replaces the file in one step; NULL:
 * the standard draft. */
enum status report_write_markdown(const struct report *report, const char *path);

#endif
