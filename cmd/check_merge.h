/* Merges the reports of checks of one baseline or more, for example by several machines, into one
 * report of them all. */
#pragma once

#include "cmd/baseline_list.h"
#include "cmd/regression/judge/report.h"

/* Lists the reports that the paths mean, in order: files, and every report.json in a folder and its
 * subfolders except `own`, the report that is being written (NULL: none). A path that is missing is
 * listed too; report_merge then says so. free() each path and the list. */
void report_merge_find(const char *const *given, size_t given_count, const char *own, char ***paths,
                       size_t *count);

/* Adds a case per baseline of the list to the report, in the list's order, taken from the reports.
 * A baseline that no report has, or whose text has changed since, is a case that is not judged.
 * STATUS_USAGE or STATUS_IO, and no case is added, for a file that is not the report of a check by
 * this version, and for a baseline that two reports have or that is not in the list. */
enum status report_merge(struct report *report, const struct baseline_list *list,
                         char *const *paths, size_t count);
