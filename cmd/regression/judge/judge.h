/* Two films judged stage by stage, in order: scene, start, physics, light, picture, packets,
 * container. Bits where the platforms' texts are the same, limits where they are not.
 *
 * A stage that differs after another that does follows from it, unless it is judged again by
 * substitution: a record made by the present renderer from the baseline's stored states (for light
 * and picture), or by the present encoder from its stored pictures (packets and container). */
#ifndef CMD_REGRESSION_JUDGE_JUDGE_H
#define CMD_REGRESSION_JUDGE_JUDGE_H

#include "cmd/regression/judge/comparison.h"

/* Judges all stages, without concluding the case: what follows may still be substituted. A failure
 * is that of a detail, and its stage is then not judged. */
enum status judge_records(const struct comparison *comparison, struct case_report *one);

/* Judges one stage again, in a report that is emptied first. */
enum status judge_stage(const struct comparison *comparison, enum judged stage,
                        struct stage_report *report);

#endif
