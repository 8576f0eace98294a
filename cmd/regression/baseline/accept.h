/* Accepts the result of a check: the candidates in its report replace their baselines. Accepts only
 * cases in that report that do not pass, and only if every stage that differs is named. */
#pragma once

#include "cmd/regression/judge/report.h"

#include <stddef.h>

struct acceptance {
    const char *stages;  /* "picture, packets"; NULL: every stage that differs */
    const char *because; /* never NULL */
    const char *author;  /* NULL: see author_name */
    const char *only;    /* name of one case to accept; NULL: all */
    bool in_ci;          /* accept even where CI is set */
};

/* Returns STATUS_USAGE unless the text lists names of stages, "picture, packets". */
enum status accept_check_stages(const char *stages);

/* Accepts the failing cases of a report. `folder` is the folder of the report's file, where
 * candidates are also looked for; NULL: look only where the report says they are. Checks all cases
 * before it writes anything; replaces each baseline in one step. Returns STATUS_USAGE when the
 * baseline or candidate is not the one in the report, when a stage that differs is not named, or
 * when there is nothing to accept. */
enum status accept_report(const struct acceptance *acceptance, const struct report *report,
                          const char *folder);

/* Writes the stages that must be named to accept a case, "start, physics". */
void accept_needed(const struct case_report *one, char *out, size_t size);
