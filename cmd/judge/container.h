/* Whether two finished files say the same of themselves. Pure. */
#ifndef CMD_JUDGE_CONTAINER_H
#define CMD_JUDGE_CONTAINER_H

#include "cmd/judge/comparison.h"

enum status judge_container(const struct comparison *comparison, struct stage_report *stage);

#endif
