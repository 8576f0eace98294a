/* The baselines that a command line names, and where a check keeps its output about each. */
#pragma once

#include "base/status.h"
#include "cmd/regression/judge/report.h"

#include <stddef.h>

struct listed {
    char *path;        /* of a baseline */
    const char *below; /* the end of the path, relative to the given folder */
};

struct baseline_list {
    struct listed *items; /* [count] */
    size_t count;
};

/* Lists the baselines that the paths mean, in order. A path is a text, or a folder that is searched
 * for texts with its subfolders, except for hidden folders, folders of objects and folders in which
 * a check keeps its report. Where objects have lost their text, the list has the path of the
 * missing text. A path that is missing, and a folder that has no text or cannot be read, is listed
 * too: baseline_read then says what is wrong with it. STATUS_USAGE if no path is given, or if there
 * are too many baselines. Free in every case. */
enum status baseline_list_find(struct baseline_list *list, const char *const *given, size_t count);
void baseline_list_free(struct baseline_list *list);

/* STATUS_USAGE if two baselines would have the same name in a folder of reports. */
enum status baseline_list_check_names(const struct baseline_list *list);

/* STATUS_USAGE if a report kept in `output` would lie among the baselines, where the next check
 * would take it for one. */
enum status listed_check_output(const struct listed *listed, const char *output);

/* STATUS_USAGE if there is a file that does not begin with `begins`, and so was not written by a
 * check. */
enum status baseline_list_check_own(const char *path, const char *begins);

/* The folder in `output` for the pictures and candidate of that baseline: placed as in the given
 * folder, so that baselines with the same name in two folders stay separate. The caller frees it.
 */
char *listed_output(const struct listed *listed, const char *output);

/* The name of the baseline, such as "gpu/plummer", unique in the given folder. The caller frees it.
 */
char *listed_name(const struct listed *listed);

/* Gives the case that name. */
void listed_name_case(const struct listed *listed, struct case_report *one);

/* Calls `see` with the baseline's text, the folder of its objects, its scene file and its bodies
 * file; `what` completes the sentence "PATH is ...". If the text cannot be read, calls it with the
 * first two only. */
void inputs_see(const char *path, void (*see)(void *user, const char *what, const char *path),
                void *user);
