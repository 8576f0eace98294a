/* Candidates: a check writes one for each case that does not pass, and accepting a report replaces
 * the baselines by them. Every stage that differs must be named. */
#pragma once

#include "cmd/regression/baseline/sources.h"
#include "cmd/regression/judge/report.h"

#include <stdbool.h>
#include <stddef.h>

struct candidate {
    const struct baseline *baseline;
    const char *output;   /* folder: NAME.json and NAME.objects/ go there */
    struct source source; /* how the film was made; the folder is for its pictures, encoded */
    struct made *made;    /* the film */
};

/* Writes what replaces the baseline if the result is accepted; enters its path and hash in the
 * case. */
enum status candidate_write(const struct candidate *candidate, struct case_report *one);

/* Returns the command line that makes the frame of the case's first difference again or, if the
 * scene has changed, records the baseline again, or else checks again. `folder` is that of the
 * baseline. The caller frees it. */
char *candidate_reproduce(const struct baseline *baseline, const char *folder,
                          const struct case_report *one);

/* Says how far the baseline has drifted from the first one through small accepted changes; NULL if
 * it is itself the first one. The caller frees it. */
char *candidate_distance(const struct baseline *baseline, const struct limits *limits);

/* Returns the given author, else $GIT_AUTHOR_NAME, else the user's name. The caller frees it. */
char *author_name(const char *given);

/* Returns STATUS_USAGE where CI is set, unless `in_ci`; the message says that `what` is refused. */
enum status author_allowed(bool in_ci, const char *what);

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
