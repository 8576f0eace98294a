/* Finds which frame of one film corresponds to which frame of another; gives findings and
 * sentences. */
#pragma once

#include "cmd/regression/judge/report.h"
#include "cmd/regression/record/record.h"
#include "render/compare/align.h"

/* Returns the nearby frame of the baseline, at most 3 frames away, whose picture this frame shows
 * by its bits; the frame of the same number if that is equal or none is. */
uint64_t join_met(const struct record *before, const struct frame_record *now);

/* Stores in the case which frames of two records meet, by the bits of their pictures. */
void join_records(const struct record *before, const struct record *now, struct case_report *one);

struct order_params {
    uint64_t first[2];       /* numbers of the films' first frames */
    const char *name[2];     /* what a sentence calls the films: "A", "B" */
    const struct rule *rule; /* for frames out of order */
    const struct limits *limits;
};

/* Judges number and order of the frames in the stage picture, and stores the steps in the case. */
void order_judge(const struct order_params *params, const struct align_step *steps, size_t count,
                 struct case_report *one);

/* Returns what could not be judged by the aligner's frames, and why; NULL: nothing. All frames must
 * have been added. */
const char *order_missing(const struct aligner *aligner);
