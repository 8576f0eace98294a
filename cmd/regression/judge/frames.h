/* Whether two films show the same pictures, before encoding: count and order of the frames first,
 * then bits, then light, thumbnails and, where both sides have them, the pictures themselves. Pure,
 * but for those pictures. */
#ifndef CMD_REGRESSION_JUDGE_FRAMES_H
#define CMD_REGRESSION_JUDGE_FRAMES_H

#include "cmd/regression/judge/comparison.h"

enum status judge_frames(const struct comparison *comparison, struct stage_report *stage);

/* Which frame met which, told by the bits of their pictures: at most 3 frames away. Frames that
 * have no equal meet the one of their number. */
void frames_align(const struct comparison *comparison, struct case_report *one);

#endif
