/* Finds out who changes a baseline, and whether a CI job may change one. Thread-safe. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Returns the given author, else $GIT_AUTHOR_NAME, else the user's name. The caller frees it. */
char *author_name(const char *given);

/* Returns STATUS_USAGE where CI is set, unless `in_ci`; the message says that `what` is refused. */
enum status author_allowed(bool in_ci, const char *what);
