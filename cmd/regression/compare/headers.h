/* What two films say of themselves, compared exactly and before any pixel: size, rate, count,
 * duration, depth, alpha, colours, times. */
#ifndef CMD_REGRESSION_COMPARE_HEADERS_H
#define CMD_REGRESSION_COMPARE_HEADERS_H

#include "cmd/regression/compare/side.h"
#include "cmd/regression/judge/report.h"

/* With `lossy` a tag of colours that one film lacks is nothing that it differs in.
 *
 * Judges the container's stage and what the films are as sequences; codec, profile and container
 * become changes of the environment. */
void headers_compare(const struct side *a, const struct side *b, const struct limits *limits,
                     bool lossy, struct case_report *one);

/* Whether pictures can be compared. If not, the picture's stage says why. */
bool headers_match(const struct side *a, const struct side *b, const struct limits *limits,
                   struct stage_report *picture);

#endif
