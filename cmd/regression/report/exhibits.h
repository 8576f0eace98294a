/* What there is to look at in a case: its pictures with their marks, and its clip, as the page
 * shows them without JavaScript and as its viewer finds them. */
#ifndef CMD_REGRESSION_REPORT_EXHIBITS_H
#define CMD_REGRESSION_REPORT_EXHIBITS_H

#include "cmd/regression/judge/report.h"
#include "cmd/regression/report/pictures.h"

/* Attributes data-a and data-b: what both sides are called. */
void exhibits_put_names(FILE *out, const struct report *report, const struct case_report *one);

/* Nothing where there is nothing. `measured`: the page has been measured, and pictures that are not
 * embedded are left out. id: of the case. */
void exhibits_put(FILE *out, const struct report *report, const struct case_report *one,
                  const struct case_pictures *pictures, bool measured, const char *id);

#endif
