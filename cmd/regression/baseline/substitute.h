/* Judges later stages from what the baseline stored, so that a change in an earlier stage cannot
 * hide one of theirs: its start in this integrator, its states in this renderer, its pictures in
 * this encoder. */
#pragma once

#include "cmd/regression/baseline/contents.h"
#include "cmd/regression/baseline/run.h"
#include "cmd/regression/judge/judge.h"

struct substitution {
    const struct baseline *baseline;
    const struct scene *scene;
    const struct comparison *comparison; /* of the whole films */
    struct run_params run;               /* how the film was made again */
    const char *shown;                   /* folder for pictures to view; NULL: none */
    struct case_report *one;             /* the case whose stages are judged again */
};

/* Judge physics; light and picture; packets and container. Where an object is missing, the verdict
 * on the stage stays. */
enum status substitute_start(const struct substitution *substitution);
enum status substitute_states(const struct substitution *substitution);
enum status substitute_pictures(const struct substitution *substitution);
