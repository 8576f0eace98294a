/* Compares the metadata of two films exactly, before any pixel: size, rate, count, duration, depth,
 * alpha, colours, times. */
#pragma once

#include "cmd/regression/compare/side.h"
#include "cmd/regression/judge/report.h"

/* With `lossy`, a colour tag that only one film has is not a difference.
 *
 * Judges the stage container and the films' properties as sequences; codec, profile and container
 * become changes of the environment. Returns what was not compared (see played.h). */
char *headers_compare(const struct side *a, const struct side *b, const struct limits *limits,
                      bool lossy, struct case_report *one);

/* Returns whether the pictures can be compared. If not, the stage picture says why. */
bool headers_match(const struct side *a, const struct side *b, const struct limits *limits,
                   struct stage_report *picture);
