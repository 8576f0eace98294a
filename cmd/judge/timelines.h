/* Figures over the frames of a case, for people to look at. */
#ifndef CMD_JUDGE_TIMELINES_H
#define CMD_JUDGE_TIMELINES_H

#include "cmd/judge/comparison.h"

/* Appends the series: share of the allowed RMS distance of the bodies, their difference in energy,
 * of light in %, and of the frame's light in %. A frame that one side lacks has NAN. */
void timelines_add(const struct comparison *comparison, struct case_report *one);

#endif
