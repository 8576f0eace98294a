/* Figures over the frames of a case, for people to look at. */
#ifndef CMD_REGRESSION_JUDGE_TIMELINES_H
#define CMD_REGRESSION_JUDGE_TIMELINES_H

#include "cmd/regression/judge/comparison.h"

/* Appends the series: what the bodies' distance uses of what is allowed, with the ensemble's band,
 * NAN where only statistics are compared; the difference of the energies; of the sum of light and
 * of the frame's mean light, in %. A frame that one side lacks has NAN. */
void timelines_add(const struct comparison *comparison, struct case_report *one);

#endif
