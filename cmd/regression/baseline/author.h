/* Who changes a baseline, and whether a CI job may. Thread-safe. */
#ifndef CMD_REGRESSION_BASELINE_AUTHOR_H
#define CMD_REGRESSION_BASELINE_AUTHOR_H

#include "base/status.h"

#include <stdbool.h>

/* The author given, else $GIT_AUTHOR_NAME, else the user's name. The caller frees it. */
char *author_name(const char *given);

/* STATUS_USAGE where CI is set, unless `in_ci`; `what` is refused. */
enum status author_allowed(bool in_ci, const char *what);

#endif
