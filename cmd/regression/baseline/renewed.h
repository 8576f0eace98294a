/* Renders a baseline's scene as it reads now, if it has changed: the result is what can be
 * accepted, and shows what the change looks like. */
#pragma once

#include "cmd/regression/baseline/capture.h"
#include "cmd/regression/baseline/run.h"
#include "cmd/regression/judge/limits.h"
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
