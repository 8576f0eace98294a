/* Whether two films begin with the same bodies. Pure. */
#ifndef CMD_REGRESSION_JUDGE_START_H
#define CMD_REGRESSION_JUDGE_START_H

#include "cmd/regression/judge/comparison.h"

enum status judge_start(const struct comparison *comparison, struct stage_report *stage);

#endif
