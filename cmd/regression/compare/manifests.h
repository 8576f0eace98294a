/* Compares the manifests of two films by the stages of judge.h. It uses only what a manifest holds,
 * so that neither film is needed. */
#pragma once

#include "base/status.h"
#include "cmd/regression/judge/rules.h"
#include "cmd/regression/judge/report.h"

#include <stdbool.h>

/* Returns whether a file may be a manifest: its name ends in .json, or its first bytes are those of
 * JSON, which no film or picture begins with. A file that cannot be read is not an error. */
bool manifest_possible(const char *path);

/* Adds a case to the report; A is the earlier film, B the later one. A difference is not a failure.
 * Fails as record_read does. */
enum status compare_manifests(const char *a, const char *b, const struct limits *limits,
                              struct report *report);
