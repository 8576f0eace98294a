/* The candidate: what replaces the baseline if a check's result is accepted. If the baseline's
 * scene has changed, it is rendered as it now reads, so that the result can be accepted, and shows
 * what the change looks like. */
#pragma once

#include "cmd/regression/baseline/capture.h"
#include "cmd/regression/baseline/run.h"
#include "cmd/regression/judge/rules.h"
#include "cmd/regression/judge/report.h"

struct renewed {
    bool made;
    const struct scene *scene; /* the caller's */
    struct record record;
    struct capture capture; /* what a baseline of the new film would keep */
    struct capture beside;  /* pictures of the frames that the baseline has pictures of */
};

/* Renders `scene`; everything else is as in `run`. `text` is the scene in the form that a record
 * keeps. Free in every case. */
enum status renewed_make(struct renewed *out, const struct run_params *run,
                         const struct baseline *baseline, const struct scene *scene,
                         const char *text, const char *commit);
void renewed_free(struct renewed *renewed); /* accepts a zeroed one */

/* Adds to the case frames and a clip of the baseline's stored pictures (A) beside the new ones (B),
 * with their difference; pictures that differ in size are shown separately. Files go to
 * `folder`. */
enum status renewed_show(const struct renewed *renewed, const struct baseline *baseline,
                         const struct limits *limits, const char *folder, struct case_report *one);

struct candidate {
    const struct baseline *baseline;
    const char *output;        /* folder: NAME.json and NAME.objects/ go there */
    const struct scene *scene; /* of the film as checked */
    const struct record *now;
    const struct capture *capture;
    const struct renewed *renewed; /* replaces the three above; NULL: unchanged scene */
    struct run_params run;         /* how the film was made */
    struct case_report *one;
};

/* Writes the candidate and enters its path and hash in the case. */
enum status candidate_write(const struct candidate *candidate);

/* Returns the command line that makes the frame of the case's first difference again. The caller
 * frees it. */
char *candidate_reproduce(const struct baseline *baseline, const char *folder,
                          const struct case_report *one);
