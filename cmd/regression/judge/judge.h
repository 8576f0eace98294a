/* Judges two films stage by stage, in order: scene, start, physics, light, picture, packets,
 * container. Compares bits where the platforms' texts are the same, and applies limits elsewhere.
 * Each measure is a row of measures.def, with a function in rule_functions.c or body_motion.c.
 *
 * A stage that differs after an earlier one that differs is put down to it, unless it is judged
 * again by substitution: with a record that the present renderer made from the baseline's stored
 * states (light and picture), or the present encoder from its stored pictures (packets and
 * container). Used by one thread at a time. */
#pragma once

#include "cmd/regression/judge/rules.h"
#include "cmd/regression/judge/report.h"
#include "cmd/regression/record/record.h"

/* Gives access to what records do not store. A function may be NULL. */
struct comparison_details {
    void *user;

    /* Returns the positions of the first simulation at a frame, *count of them, valid until the
     * next call for the same side; NULL where none are stored. */
    const double (*(*positions)(void *user, bool now, uint64_t frame, size_t *count))[3];

    /* Measures the pictures of those `frames` that both sides have, and adds the worst of each rule
     * to the stage (see picture_judge.h). *measured: number of frames measured. */
    enum status (*pictures)(void *user, const uint64_t *frames, size_t count,
                            struct stage_report *stage, size_t *measured);
};

struct comparison {
    const struct record *before, *now; /* before: the baseline */
    const struct limits *limits;
    struct comparison_details details;
    /* `now` was made from what the baseline stored, so that the input of the stage is the same on
     * both sides; only its frames are judged. */
    bool substituted;
};

/* Judges all stages but does not conclude the case, because stages that follow from earlier ones
 * may still be substituted. A failure comes from a detail; its stage is then not judged. */
enum status judge_records(const struct comparison *comparison, struct case_report *one);

/* Judges one stage again; empties its report first. */
enum status judge_stage(const struct comparison *comparison, enum judged stage,
                        struct stage_report *report);

/* Appends to the case what differs between the programs, devices, libraries and platforms of two
 * records, each difference once. */
void environment_compare(const struct record *before, const struct record *now,
                         struct case_report *one);

/* Does the same for one text made of parts, "llvmpipe (LLVM 15.0.6, 256 bits), Mesa 22.3.6". If the
 * names of the parts differ, appends the whole text under the name `what`. */
void environment_compare_text(const char *what, const char *before, const char *now,
                              struct case_report *one);

/* ---- for the functions of the rules ---- */

/* One stage of a comparison while it is judged. */
struct walk {
    const struct comparison *comparison;
    const struct record *before, *now;
    const struct limits *limits;
    struct stage_report *stage;
    bool same_input;    /* the input of the stage has the same bits on both sides */
    bool settled;       /* bits have decided, so limits do not matter */
    int64_t beyond;     /* the first frame beyond a limit; -1: none */
    uint64_t differing; /* frames whose hashes differ */
    size_t measured;    /* pictures */
    enum status status; /* of the details */
};

/* A frame that both films have. */
struct met {
    const struct walk *walk;
    const struct frame_record *before, *now;
};

/* Finds the next frame that both have, starting at *i in `now`; false at the end. */
bool walk_next(const struct walk *walk, uint64_t *i, struct met *met);

/* Adds the finding of a rule, with its sentence unless the value is 0. */
struct finding *walk_found(struct walk *walk, const struct rule *rule, double value, int64_t frame);

/* Returns the recorded value of a frame that the rule judges (OF_FRAME in measures.def). */
double rule_member(const struct rule *rule, const struct frame_record *frame);

/* Judge a rule (struct rule) by the hashes of the stage, or by combining the values of its frames.
 */
void judge_bits(struct walk *walk, const struct rule *rule);
void judge_counted(struct walk *walk, const struct rule *rule); /* frames with a value above 0 */
void judge_worst(struct walk *walk, const struct rule *rule);   /* the largest value */
void judge_spread(struct walk *walk, const struct rule *rule);  /* the standard deviation */

/* Returns the earlier of two frames; -1 means none. */
int64_t judge_earlier(int64_t a, int64_t b);

/* Sets the number of frames that a stage plans to compare. Returns true, and says why, if the stage
 * has nothing to compare. */
bool rules_set_aside(struct walk *walk, enum judged stage);

/* Fills in, for each frame of the baseline, the distance of the bodies as a share of what is
 * allowed; leaves out frames of which only statistics are compared. */
void bodies_series(const struct walk *walk, double *value);
