/* Draws a series over frames, and the alignment of frames, in a page. The drawings need no
 * JavaScript; their attributes hold what a script needs to follow the pointer. */
#pragma once

#include "cmd/regression/judge/report.h"

#include <stdio.h>

/* Writes a figure element with title, limits and the values. The scale is
 * logarithmic if the values span more than three powers of ten. Draws at most 1,000 points, each
 * the worst of the frames that share it. */
void timeline_put(FILE *out, const struct case_report *one, const struct series *series);

/* Returns the share of its limit that the worst frame uses, above 0; 0 if all measured values are
 * 0. */
double timeline_share(const struct case_report *one, const struct series *series);

/* Draws the frames of A above those of B with lines between pairs, and lists all exceptions in
 * words. */
void timeline_put_alignment(FILE *out, const struct case_report *one);
