/* Whether two finished files say the same of themselves. Pure. */
#ifndef CMD_REGRESSION_JUDGE_CONTAINER_H
#define CMD_REGRESSION_JUDGE_CONTAINER_H

#include "cmd/regression/judge/comparison.h"

enum status judge_container(const struct comparison *comparison, struct stage_report *stage);

#endif
