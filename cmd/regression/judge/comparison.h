/* Two records that are compared, and what else is known of the two films. Stages (judge.h) are pure
 * functions of it, but for what the details load. Used by one thread at a time. */
#ifndef CMD_REGRESSION_JUDGE_COMPARISON_H
#define CMD_REGRESSION_JUDGE_COMPARISON_H

#include "cmd/regression/judge/limits.h"
#include "cmd/regression/judge/report.h"
#include "cmd/regression/record/record.h"

#include <stdbool.h>
#include <stddef.h>

/* How far round-off carries the baseline's bodies, found out by an ensemble; arrays of the record's
 * count, values of a frame each. Members must differ by more than the forces round away: where they
 * are of single precision, a change of 1e-14 may never reach them, one of 1e-7 does. */
struct envelope {
    uint32_t members;       /* 0: none was made */
    const double *distance; /* largest RMS distance of a member's bodies from the film's */
    /* Standard deviations over the members, relative. */
    const double *energy, *half_mass;
};

/* What the records do not hold. A function that is NULL knows nothing. */
struct comparison_details {
    void *user;

    /* Positions of the first simulation at a frame, *count of them, valid until the next call for
     * the same side; NULL where none are stored. */
    const double (*(*positions)(void *user, bool now, uint64_t frame, size_t *count))[3];

    /* Measures the pictures of those of `frames` of which both sides have one, and adds the worst
     * of each rule to the stage (picture.h does). *measured: how many there were. */
    enum status (*pictures)(void *user, const uint64_t *frames, size_t count,
                            struct stage_report *stage, size_t *measured);
};

struct comparison {
    const struct record *before, *now; /* before: the baseline */
    const struct limits *limits;
    const struct envelope *envelope; /* NULL: none */
    struct comparison_details details;
    /* `now` was made from the baseline's stored states or pictures: its frames are those to be
     * judged, and what they are made of is the same. */
    bool substituted;
    /* What this stage is made of has the same bits on both sides; judge_records finds out. */
    bool same_input;
};

/* Whether a text of struct platform, NULL being "", is the same on both sides. */
bool comparison_same_text(const char *before, const char *now);

/* A text of a frame, such as its hash, and what has come of comparing it over all frames. */
struct hash_comparison {
    uint64_t planned, compared; /* frames of either side, and those that have it on both */
    uint64_t differing;
    int64_t first; /* that differs; -1: none */
};
/* `offset` of the text in struct frame_record. With substituted ones only frames of `now` are
 * planned. */
struct hash_comparison comparison_hashes(const struct comparison *comparison, size_t offset);

/* The earlier of two frames, -1 being none. */
int64_t comparison_earlier(int64_t a, int64_t b);

/* The next pair of frames of one number, from *i on in `now`; false at the end. */
bool comparison_pair(const struct comparison *comparison, uint64_t *i,
                     const struct frame_record **before, const struct frame_record **now);

/* Whether bits of a stage must agree: nothing that enters them differs. */
bool comparison_same_bits(const struct comparison *comparison, const char *text_before,
                          const char *text_now);

/* Sets the stage's counts and first frame; where bits must agree, or do, adds the finding of
 * `rule`. Returns whether that says all: otherwise limits have to. */
bool comparison_judge_bits(const struct comparison *comparison, struct stage_report *stage,
                           const struct rule *rule, const struct hash_comparison *hashes);

#endif
