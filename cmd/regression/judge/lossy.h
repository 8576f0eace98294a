/* The limits of a copy that was encoded again on purpose, for YouTube say: other limits of the same
 * rules, and none for what encoding is allowed to lose. */
#ifndef CMD_REGRESSION_JUDGE_LOSSY_H
#define CMD_REGRESSION_JUDGE_LOSSY_H

#include "cmd/regression/judge/limits.h"

/* Every limit of pictures and containers that was not given becomes the profile's. */
void limits_take_lossy(struct limits *limits);

#endif
