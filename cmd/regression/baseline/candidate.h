/* Writes the candidate of a check: what replaces the baseline if the result is accepted. */
#pragma once

#include "cmd/regression/baseline/capture.h"
#include "cmd/regression/baseline/renewed.h"
#include "cmd/regression/baseline/run.h"
#include "cmd/regression/judge/report.h"

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
