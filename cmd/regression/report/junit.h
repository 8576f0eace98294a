/* Writes a report as JUnit XML for GitLab, Jenkins and GitHub Actions: a test suite per case and a
 * test case per stage, with unique names.
 *
 * A stage that changed is a failure, and one that could not be judged an error. A stage that the
 * film does not have, or that follows from an earlier one, is skipped with the reason. A warning is
 * in system-out. Pictures of the stage that names the cause are attached by path. If nothing was
 * compared, that is an error. */
#pragma once

#include "cmd/regression/judge/report.h"

/* Replaces the file in one step; NULL: standard output. The file has at most JUNIT_BYTES, because
 * GitLab reads no more than 30 MB. */
enum { JUNIT_BYTES = 30000000 };
enum status report_write_junit(const struct report *report, const char *path);
