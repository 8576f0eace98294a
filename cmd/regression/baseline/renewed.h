/* The film of a baseline's scene as the scene reads now, where that has changed: what could be
 * accepted, and what the change looks like. */
#ifndef CMD_REGRESSION_BASELINE_RENEWED_H
#define CMD_REGRESSION_BASELINE_RENEWED_H

#include "cmd/regression/baseline/capture.h"
#include "cmd/regression/baseline/run.h"
#include "cmd/regression/judge/limits.h"
#include "cmd/regression/judge/report.h"

struct renewed {
    bool made;
    const struct scene *scene; /* the caller's */
    struct record record;
    struct capture capture; /* what a baseline of it would keep */
    struct capture beside;  /* pictures of the frames of which the baseline has some */
};

/* Renders `scene` as `run` says of everything else. `text` is the scene as a record keeps it. Free
 * in every case. */
enum status renewed_make(struct renewed *out, const struct run_params *run,
                         const struct baseline *baseline, const struct scene *scene,
                         const char *text, const char *commit);
void renewed_free(struct renewed *renewed); /* accepts a zeroed one */

/* Adds frames and a clip of the baseline's stored pictures (A) beside the new ones (B), with their
 * difference, to the case; pictures of other sizes stand alone. Files go to `folder`. */
enum status renewed_show(const struct renewed *renewed, const struct baseline *baseline,
                         const struct limits *limits, const char *folder, struct case_report *one);

#endif
