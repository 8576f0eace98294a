/* Which keys of the scenes inside two films differ: what was asked for, beside what is shown. */
#ifndef CMD_REGRESSION_COMPARE_SCENES_H
#define CMD_REGRESSION_COMPARE_SCENES_H

#include "cmd/regression/compare/side.h"
#include "cmd/regression/judge/report.h"

/* Judges nothing but whether the tags are damaged, as films are compared by what they show: the
 * stage scene, which is not applicable, says it, and the environment has a line per key. Returns
 * the same as a phrase, "the scenes differ in simulation.dt (0.01 against 0.02)", which the caller
 * frees; NULL where they do not differ, or a film has no scene. */
char *scenes_compare(const struct side *a, const struct side *b, const struct limits *limits,
                     struct case_report *one);

#endif
