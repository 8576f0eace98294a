/* Adds values per frame to a case, as timelines. */
#pragma once

#include "cmd/regression/judge/comparison.h"

/* Appends the series: the distance of the bodies as a share of what is allowed, with the ensemble's
 * band, NAN where only statistics are compared; the difference of the energies; the differences of
 * the sum of light and of the frame's mean light, in %. A frame that one side lacks has NAN. */
void timelines_add(const struct comparison *comparison, struct case_report *one);
