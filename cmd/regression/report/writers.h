/* The views of a report besides its JSON (report_json.h) and its page (html_page.h). The writers
 * replace their file in one step; if the path is NULL, they write to standard output. A new view
 * also has an option in cmd/report_options.c. */
#pragma once

#include "cmd/regression/judge/report.h"

#include <stddef.h>
#include <stdio.h>

/* ---- JUnit ---- */

/* Writes a report as JUnit XML for GitLab, Jenkins and GitHub Actions: a test suite per case and a
 * test case per stage, with unique names.
 *
 * A stage that changed is a failure, and one that could not be judged an error. A stage that the
 * film does not have, or that follows from an earlier one, is skipped with the reason. A warning is
 * in system-out. Pictures of the stage that names the cause are attached by path. If nothing was
 * compared, that is an error. */

/* Replaces the file in one step; NULL: standard output. The file has at most JUNIT_BYTES, because
 * GitLab reads no more than 30 MB. */
enum { JUNIT_BYTES = 30000000 };
enum status report_write_junit(const struct report *report, const char *path);

/* ---- Markdown ---- */

/* Writes a report as Markdown for a pull request: the verdict, a row of stages per case, what
 * failed first, and the commands to reproduce and accept it. */

enum { MARKDOWN_LINES = 20 };

/* Writes at most MARKDOWN_LINES lines, and counts what does not fit. Replaces the file in one step;
 * NULL: standard output. */
enum status report_write_markdown(const struct report *report, const char *path);

/* ---- text ---- */

/* Writes a report for a terminal or a log: the verdict, what failed first with its stages, numbers
 * and commands, then a line per case that passes. */

enum { TEXT_LINES = 20 };

struct text_style {
    bool colour;
    bool symbols; /* UTF-8 marks; else ASCII. Their meaning is also given in words */
    int width;    /* columns of the terminal; 0: do not shorten lines */
};

/* Returns the style for a stream: plain unless it is a terminal, TERM is not "dumb" and NO_COLOR is
 * not set; symbols also need a UTF-8 locale. */
struct text_style text_style_of(FILE *out);

/* Prints at most TEXT_LINES lines, cut to the width of the terminal, and counts what does not
 * fit. */
void report_print(const struct report *report, FILE *out, struct text_style style);
