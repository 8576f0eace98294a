/* Whether two records are of one scene: the keys that differ are named. Pure. */
#ifndef CMD_REGRESSION_JUDGE_SCENE_H
#define CMD_REGRESSION_JUDGE_SCENE_H

#include "cmd/regression/judge/comparison.h"

enum status judge_scene(const struct comparison *comparison, struct stage_report *stage);

#endif
