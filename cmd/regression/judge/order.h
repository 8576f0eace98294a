/* Reports the alignment of two films' frames, as findings and as text. */
#pragma once

#include "cmd/regression/judge/report.h"
#include "render/compare/align.h"

struct order_params {
    uint64_t first[2];       /* numbers of the films' first frames */
    const char *name[2];     /* what a sentence calls the films: "A", "B" */
    const struct rule *rule; /* for frames out of order */
    const struct limits *limits;
};

/* Judges number and order of the frames in the stage picture, and stores the steps in the case. */
void order_judge(const struct order_params *params, const struct align_step *steps, size_t count,
                 struct case_report *one);

/* Returns what the aligner's frames, all of which were added, cannot tell, and why; NULL: nothing
 * is missing. */
const char *order_missing(const struct aligner *aligner);
