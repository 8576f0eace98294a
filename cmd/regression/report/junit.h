/* A report as JUnit's XML, as GitLab, Jenkins and GitHub's actions show it: a test suite per case,
 * a test case per stage, with names that no two share.
 *
 * What changed is a failure, what could not be judged an error, what a film does not have or what
 * follows from an earlier stage is skipped with the reason, a warning is in system-out. Pictures of
 * the stage that names the cause are attached by path. Nothing compared is an error. */
#ifndef CMD_REGRESSION_REPORT_JUNIT_H
#define CMD_REGRESSION_REPORT_JUNIT_H

#include "cmd/regression/judge/report.h"

/* Less than the 30 MB that GitLab reads. Replaces the file in one step; NULL: the standard draft.
 */
enum { JUNIT_BYTES = 30000000 };
enum status report_write_junit(const struct report *report, const char *path);

#endif
