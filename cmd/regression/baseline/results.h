/* The results of checks of many baselines, as one report: from processes of this program that check
 * one baseline each, or from the reports of earlier checks. Used by one thread at a time. */
#pragma once

#include "cmd/regression/baseline/list.h"
#include "cmd/regression/judge/report.h"

#include <signal.h>
#include <sys/types.h>

/* Starts this program with `arguments`, a list that ends with NULL, and with `changes` to the
 * environment, "NAME=VALUE", a list that also ends with NULL. Its messages go to the file `log`;
 * its standard output is discarded. */
enum status child_start(const char *const *arguments, const char *const *changes, const char *log,
                        pid_t *child);

/* Waits for the child. *code: its exit code, or 128 + the signal that ended it. */
enum status child_wait(pid_t child, int *code);

/* The first line of the child's messages; the caller frees it. */
char *child_said(const char *log);

struct check_pool {
    const struct baseline_list *list;
    size_t room;        /* processes that run at once */
    const char *output; /* folder for pictures and candidates; NULL: none */
    bool is_scratch;    /* output is a temporary folder */
    const char *backend;
    int device;
    const char *const *passed_on; /* [passed_on_count]: options of limits, as given */
    int passed_on_count;
    volatile sig_atomic_t *stop; /* when set, no more processes are started */
};

/* Checks every baseline in a process of its own, so that a crash does not affect the others, and
 * adds a case per baseline to the report, in their order. *failure: why one could not be judged. */
void check_pool_run(const struct check_pool *pool, struct report *report, struct failure *failure);

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
