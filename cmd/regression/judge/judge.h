/* Judges two films stage by stage, in order: scene, start, physics, light, picture, packets,
 * container. Compares bits where the platforms' texts are the same, and applies limits elsewhere.
 *
 * A stage that differs after an earlier one that differs is put down to it, unless it is judged
 * again by substitution: with a record that the present renderer made from the baseline's stored
 * states (light and picture), or the present encoder from its stored pictures (packets and
 * container). */
#pragma once

#include "cmd/regression/judge/comparison.h"

/* Judges all stages but does not conclude the case, because stages that follow from earlier ones
 * may still be substituted. A failure comes from a detail; its stage is then not judged. */
enum status judge_records(const struct comparison *comparison, struct case_report *one);

/* Judges one stage again; empties its report first. */
enum status judge_stage(const struct comparison *comparison, enum judged stage,
                        struct stage_report *report);
