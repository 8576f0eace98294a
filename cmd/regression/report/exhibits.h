/* Writes a case's pictures with their marks, and its clip, in a form that needs no JavaScript and
 * that the page's viewer can read. */
#pragma once

#include "cmd/regression/judge/report.h"
#include "cmd/regression/report/pictures.h"

/* Writes the attributes data-a and data-b, the names of both sides. */
void exhibits_put_names(FILE *out, const struct report *report, const struct case_report *one);

/* Writes nothing if the case has no pictures. `measured`: the page has been measured, and pictures
 * that are not embedded are left out. id: of the case. */
void exhibits_put(FILE *out, const struct report *report, const struct case_report *one,
                  const struct case_pictures *pictures, bool measured, const char *id);
