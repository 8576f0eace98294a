/* The manifests of two films compared: by the stages of judge.h, with nothing but what a manifest
 * holds, so that neither film is needed. */
#ifndef CMD_REGRESSION_COMPARE_MANIFESTS_H
#define CMD_REGRESSION_COMPARE_MANIFESTS_H

#include "base/status.h"
#include "cmd/regression/judge/limits.h"
#include "cmd/regression/judge/report.h"

#include <stdbool.h>

/* Whether a file's name ends in .json, or its first bytes are those of JSON, as no film's and no
 * picture's are; no error when it cannot be read. */
bool manifest_possible(const char *path);

/* Adds a case to the report; A is what was, B what is now. A difference is no failure. Fails as
 * record_read does. */
enum status compare_manifests(const char *a, const char *b, const struct limits *limits,
                              struct report *report);

#endif
