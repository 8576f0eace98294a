/* Later stages judged of what the baseline stored, so that no change of an earlier one hides
 * theirs: its start in this integrator, its states in this renderer, its pictures in this encoder.
 */
#ifndef CMD_REGRESSION_BASELINE_SUBSTITUTE_H
#define CMD_REGRESSION_BASELINE_SUBSTITUTE_H

#include "cmd/regression/baseline/contents.h"
#include "cmd/regression/baseline/run.h"
#include "cmd/regression/judge/comparison.h"

struct substitution {
    const struct baseline *baseline;
    const struct scene *scene;
    const struct comparison *comparison; /* of the whole films */
    struct run_params run;               /* how the film was made again */
    const char *shown;                   /* folder for pictures to look at; NULL: none */
    struct case_report *one;             /* whose stages are judged once more */
};

/* Physics; light and picture; packets and container. Where an object is missing the stage stays as
 * it was judged. */
enum status substitute_start(const struct substitution *substitution);
enum status substitute_states(const struct substitution *substitution);
enum status substitute_pictures(const struct substitution *substitution);

#endif
