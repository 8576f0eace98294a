/* Writes a report for a terminal or a log: the verdict, what failed first with its stages, numbers
 * and commands, then a line per case that passes. */
#pragma once

#include "cmd/regression/judge/report.h"

#include <stdio.h>

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
