/* The stages that judge.h runs over a comparison, each in the file of its name. Pure functions,
 * except that some stages look at stored pictures and states. */
#pragma once

#include "cmd/regression/judge/comparison.h"

/* Judges whether two records have the same scene; names the keys that differ. */
enum status judge_scene(const struct comparison *comparison, struct stage_report *stage);

/* Judges whether two films begin with the same bodies. */
enum status judge_start(const struct comparison *comparison, struct stage_report *stage);

/* Judges whether the bodies of two films moved alike: by bits on the same platform, else by how far
 * round-off may move them (divergence.h) and, once the bodies have diverged, by what chaos leaves
 * unchanged (statistics.h). */
enum status judge_physics(const struct comparison *comparison, struct stage_report *stage);

/* Judges whether two films have the same linear light before exposure and tone curve. */
enum status judge_light(const struct comparison *comparison, struct stage_report *stage);

/* Judges whether two films show the same pictures before encoding: number and order of the frames
 * first, then bits, then light, thumbnails and, where both sides have them, the pictures
 * themselves. */
enum status judge_frames(const struct comparison *comparison, struct stage_report *stage);

/* Aligns the frames of two films by the bits of their pictures, at most 3 frames apart. A frame
 * without an equal is paired with the frame of the same number. */
void frames_align(const struct comparison *comparison, struct case_report *one);

/* Judges whether two films are encoded alike: by bits if the encoder and the pictures are the same,
 * else by what each loses relative to its own pictures. */
enum status judge_packets(const struct comparison *comparison, struct stage_report *stage);

/* Judges whether the containers of two finished files say the same. */
enum status judge_container(const struct comparison *comparison, struct stage_report *stage);

/* Appends the series: the distance of the bodies as a share of what is allowed, NAN where only
 * statistics are compared; the difference of the energies; the differences of the sum of light and
 * of the frame's mean light, in %. A frame that one side lacks has NAN. */
void timelines_add(const struct comparison *comparison, struct case_report *one);
