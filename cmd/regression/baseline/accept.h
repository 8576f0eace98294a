/* What a check has shown, accepted: its candidates take the place of their baselines. Only what
 * that report shows, only cases that do not pass, and only if every stage that differs is named. */
#ifndef CMD_REGRESSION_BASELINE_ACCEPT_H
#define CMD_REGRESSION_BASELINE_ACCEPT_H

#include "cmd/regression/judge/report.h"

#include <stddef.h>

struct acceptance {
    const char *stages;  /* "picture, packets"; NULL: whatever differs */
    const char *because; /* never NULL */
    const char *author;  /* NULL: see author_name */
    const char *only;    /* name of one case; NULL: all */
    bool variant;        /* keep the baseline, and the candidate beside it as right too */
    const char *expires; /* of a variant: the last day, "2027-01-31" */
    bool in_ci;          /* also where CI is set */
};

/* STATUS_USAGE unless these are names of stages, "picture, packets". */
enum status accept_check_stages(const char *stages);

/* Accepts the failing cases of a report. `folder` is that of its file, where candidates are also
 * looked for; NULL: only where the report names them. All cases are looked at before anything is
 * written; each baseline is replaced in one step. STATUS_USAGE when something does not fit: another
 * baseline or candidate than the report's, a stage that differs and is not named, nothing to
 * accept. */
enum status accept_report(const struct acceptance *acceptance, const struct report *report,
                          const char *folder);

/* "start, physics": the stages that must be named to accept a case. */
void accept_needed(const struct case_report *one, char *out, size_t size);

#endif
