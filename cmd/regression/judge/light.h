/* Whether two films have the same linear light before exposure and tone curve. Pure. */
#ifndef CMD_REGRESSION_JUDGE_LIGHT_H
#define CMD_REGRESSION_JUDGE_LIGHT_H

#include "cmd/regression/judge/comparison.h"

enum status judge_light(const struct comparison *comparison, struct stage_report *stage);

#endif
