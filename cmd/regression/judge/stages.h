/* The stages that judge.h runs over a comparison, each in the file of its name. Pure, but for stored
 * pictures and states that a stage looks at. */
#ifndef CMD_REGRESSION_JUDGE_STAGES_H
#define CMD_REGRESSION_JUDGE_STAGES_H

#include "cmd/regression/judge/comparison.h"

/* Whether two records are of one scene: the keys that differ are named. */
enum status judge_scene(const struct comparison *comparison, struct stage_report *stage);

/* Whether two films begin with the same bodies. */
enum status judge_start(const struct comparison *comparison, struct stage_report *stage);

/* Whether the bodies of two films moved alike. Bits on the same platform; else by what round-off
 * may do (divergence.h), and, once bodies have parted, by what chaos leaves alone (statistics.h). */
enum status judge_physics(const struct comparison *comparison, struct stage_report *stage);

/* Whether two films have the same linear light before exposure and tone curve. */
enum status judge_light(const struct comparison *comparison, struct stage_report *stage);

/* Whether two films show the same pictures, before encoding: count and order of the frames first,
 * then bits, then light, thumbnails and, where both sides have them, the pictures themselves. */
enum status judge_frames(const struct comparison *comparison, struct stage_report *stage);

/* Which frame met which, told by the bits of their pictures: at most 3 frames away. Frames that
 * have no equal meet the one of their number. */
void frames_align(const struct comparison *comparison, struct case_report *one);

/* Whether two films are encoded alike: bits with the same encoder and pictures, else what each
 * loses against its own pictures. */
enum status judge_packets(const struct comparison *comparison, struct stage_report *stage);

/* Whether two finished files say the same of themselves. */
enum status judge_container(const struct comparison *comparison, struct stage_report *stage);

#endif
