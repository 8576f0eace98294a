/* A figure over frames, and which frame met which, as drawings in a page. They need no JavaScript;
 * what a script needs to follow the pointer is in their attributes. */
#ifndef CMD_REGRESSION_REPORT_TIMELINE_H
#define CMD_REGRESSION_REPORT_TIMELINE_H

#include "cmd/regression/judge/report.h"

#include <stdio.h>

/* A figure element with title, limits, the ensemble's band and the values; logarithmic where they
 * span more than three powers of ten. At most 1,000 points: the worst of the frames that share one.
 */
void timeline_put(FILE *out, const struct case_report *one, const struct series *series);

/* Share of its limit that the worst frame uses, above 0; 0 where all that was measured is 0. */
double timeline_share(const struct case_report *one, const struct series *series);

/* The frames of A above those of B and what joins them, with all exceptions in words. */
void timeline_put_alignment(FILE *out, const struct case_report *one);

#endif
