/* What a film says of its scene. */
#ifndef CMD_REGRESSION_VERIFY_SCENE_H
#define CMD_REGRESSION_VERIFY_SCENE_H

#include "cmd/regression/verify/subject.h"

/* The scene parses, its hash and seed are those of the tags, and the film has its size, rate and
 * length. Not applicable to a film that is not this program's. */
void verify_scene(const struct subject *subject, struct stage_report *stage);

#endif
