/* Lists the keys in which the scenes in two films' tags differ, in addition to the differences in
 * the pictures. */
#pragma once

#include "cmd/regression/compare/side.h"
#include "cmd/regression/judge/report.h"

/* Judges only whether the tags are damaged, because films are compared by what they show. The
 * differences go to the stage scene, which is not applicable, and to the environment, with one line
 * per key. Also returns them as a phrase, "the scenes differ in simulation.dt (0.01 against 0.02)",
 * which the caller frees; NULL if there are none, or if a film has no scene. */
char *scenes_compare(const struct side *a, const struct side *b, const struct limits *limits,
                     struct case_report *one);
