/* What would take the baseline's place if what a check has found were accepted. */
#ifndef CMD_BASELINE_CANDIDATE_H
#define CMD_BASELINE_CANDIDATE_H

#include "cmd/baseline/capture.h"
#include "cmd/baseline/run.h"
#include "cmd/judge/report.h"

struct candidate {
    const struct baseline *baseline;
    const char *output;         /* folder: NAME.json and NAME.objects/ go there */
    const struct scene *scene;  /* of the film as checked */
    const struct scene *source; /* that the baseline's source means now; NULL: it means none */
    const char *source_text;    /* that scene, as a record keeps it */
    const struct record *now;
    const struct capture *capture;
    struct run_params run; /* how the film was made */
    struct case_report *one;
};

/* Fills in the case's candidate and its hash. Where the scene has changed, the new one is rendered
 * for it. */
enum status candidate_write(const struct candidate *candidate);

/* The line that makes the frame of the case's first difference again. The caller frees it. */
char *candidate_reproduce(const struct baseline *baseline, const char *folder,
                          const struct case_report *one);

#endif
