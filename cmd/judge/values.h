/* How values of a scene's keys are told to people. */
#ifndef CMD_JUDGE_VALUES_H
#define CMD_JUDGE_VALUES_H

#include "scenes/difference.h"

/* Values by which output.crf and output.preset leave the choice to the codec become "default (21)".
 * What the codec chose is read from what encoded the two films, "libx264 medium crf 21, 8 threads"
 * (struct sink_plan); "default" where that is NULL or "". */
void values_say(struct scene_difference *found, size_t count, const char *encoding_a,
                const char *encoding_b);

#endif
