/* A report for people at a terminal or in a log: the verdict, what failed first with its stages,
 * numbers and commands, then a line per case that passes. */
#ifndef CMD_REGRESSION_REPORT_TEXT_H
#define CMD_REGRESSION_REPORT_TEXT_H

#include "cmd/regression/judge/report.h"

#include <stdio.h>

enum { TEXT_LINES = 20 };

struct text_style {
    bool colour;
    bool symbols; /* UTF-8 marks; else ASCII. What they mean is also said in words */
    int width;    /* columns of a terminal; 0: lines are not shortened */
};

/* For a stream: plain unless it is a terminal, TERM is not "dumb" and NO_COLOR is not set; symbols
 * need a UTF-8 locale too. */
struct text_style text_style_of(FILE *out);

/* At most TEXT_LINES lines, also as wide as the terminal is; what does not fit is counted. */
void report_print(const struct report *report, FILE *out, struct text_style style);

#endif
