/* The stages that judge.h runs over a comparison, each in the file of its name. Pure functions,
 * except that some stages look at stored pictures and states. */
#pragma once

#include "cmd/regression/judge/comparison.h"
#include "cmd/regression/judge/divergence.h"

/* Judges whether two records have the same scene; names the keys that differ. */
enum status judge_scene(const struct comparison *comparison, struct stage_report *stage);

/* Judges whether two films begin with the same bodies. */
enum status judge_start(const struct comparison *comparison, struct stage_report *stage);

/* Judges whether the bodies of two films moved alike: by bits on the same platform, else by how far
 * round-off may move them (divergence.h) and, once the bodies have diverged, by what chaos leaves
 * unchanged. */
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

/* ---- what the stages of the bodies share ---- */

/* Returns how much the forces of two correct programs may differ in the baseline's force mode. */
double physics_force_limit(const struct comparison *comparison);

/* Returns the RMS distance allowed at pair i; INFINITY where only statistics are compared. */
double physics_allowed(const struct comparison *comparison, const struct divergence *divergence,
                       uint64_t i);

/* Adds a finding for each quantity, at the frame that uses most of its limit. The limit is the
 * rule's own plus what the distance of the bodies explains. The latter is capped by a multiple of
 * the film's own drift (for the half-mass radius, of 1 / sqrt(N)). Returns the first frame beyond a
 * limit; -1: none. */
int64_t statistics_judge(const struct comparison *comparison, const struct divergence *divergence,
                         struct stage_report *stage);

struct moved {
    int64_t frame; /* -1: no frame has both states */
    size_t body;   /* counted from 1, as in the program's output */
    double distance;
};

/* Compares the first frame, starting at `from`, at which the states differ. NaN counts as farther
 * than any number. */
struct moved moved_most(const struct comparison *comparison, int64_t from);

/* Writes "body 4,211 moved 3e-4 by frame 17"; "" if no frame has both states. */
void moved_text(const struct moved *moved, char *text, size_t size);

/* ---- the environment ---- */

/* Appends to the case what differs between the programs, devices, libraries and platforms of the
 * two records, each difference once. */
void environment_compare(const struct comparison *comparison, struct case_report *one);

/* Does the same for one text made of parts, "llvmpipe (LLVM 15.0.6, 256 bits), Mesa 22.3.6". If the
 * names of the parts differ, appends the whole text under the name `what`. */
void environment_compare_text(const char *what, const char *before, const char *now,
                              struct case_report *one);
