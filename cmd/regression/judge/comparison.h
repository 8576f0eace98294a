/* Two records to compare, and what else is known about the two films. The stages (judge.h) are pure
 * functions of a comparison, apart from what the details load. Used by one thread at a time. */
#pragma once

#include "cmd/regression/judge/limits.h"
#include "cmd/regression/judge/report.h"
#include "cmd/regression/record/record.h"

#include <stdbool.h>
#include <stddef.h>

/* Access to what the records do not hold. A function may be NULL: it then provides nothing. */
struct comparison_details {
    void *user;

    /* Returns the positions of the first simulation at a frame, *count of them, valid until the
     * next call for the same side; NULL where none are stored. */
    const double (*(*positions)(void *user, bool now, uint64_t frame, size_t *count))[3];

    /* Measures the pictures of those `frames` that both sides have, and adds the worst of each rule
     * to the stage (see picture.h). *measured: number of frames measured. */
    enum status (*pictures)(void *user, const uint64_t *frames, size_t count,
                            struct stage_report *stage, size_t *measured);
};

struct comparison {
    const struct record *before, *now; /* before: the baseline */
    const struct limits *limits;
    struct comparison_details details;
    /* `now` was made from the baseline's stored states or pictures: only its frames are judged, and
     * the input of the stage is the same on both sides. */
    bool substituted;
    /* The input of this stage has the same bits on both sides; set by judge_records. */
    bool same_input;
};

/* Returns whether a text of struct platform is the same on both sides; NULL means "". */
bool comparison_same_text(const char *before, const char *now);

/* The result of comparing one text of each frame, such as its hash, over all frames. */
struct hash_comparison {
    uint64_t planned, compared; /* frames of either side; frames that have the text on both sides */
    uint64_t differing;
    int64_t first; /* first frame that differs; -1: none */
};
/* `offset` is that of the text in struct frame_record. If substituted, only frames of `now` are
 * planned. */
struct hash_comparison comparison_hashes(const struct comparison *comparison, size_t offset);

/* Returns the earlier of two frames; -1 means none. */
int64_t comparison_earlier(int64_t a, int64_t b);

/* Finds the next pair of frames with the same number, starting at *i in `now`; false at the end. */
bool comparison_pair(const struct comparison *comparison, uint64_t *i,
                     const struct frame_record **before, const struct frame_record **now);

/* Returns whether the bits of a stage must agree, because neither its input nor the platform's text
 * differs. */
bool comparison_same_bits(const struct comparison *comparison, const char *text_before,
                          const char *text_now);

/* Calls stage_measured for this rule, with the comparison's limits. */
struct finding *comparison_measured(const struct comparison *comparison, struct stage_report *stage,
                                    enum rule_name rule, double value);

/* Sets the stage's counts and first frame. Adds the finding of `rule` where bits must agree or do
 * agree, and returns true: the stage is then decided. Otherwise limits have to decide. */
bool comparison_judge_bits(const struct comparison *comparison, struct stage_report *stage,
                           const struct rule *rule, const struct hash_comparison *hashes);
