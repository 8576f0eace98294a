/* The options that all commands share whose result is a report: limits, and the files that views
 * of it go to. */
#ifndef CMD_REPORT_OPTIONS_H
#define CMD_REPORT_OPTIONS_H

#include "base/status.h"
#include "cmd/regression/judge/report.h"

#include <stdbool.h>
#include <stddef.h>

struct report_options {
    struct limits *limits;
    const char *json, *junit, *markdown, *html; /* paths of files; NULL: none */
    bool overwrite;                             /* files that exist */
    bool answered;                              /* `--limit help`: nothing else is to be done */
    struct protected_path *protected;           /* [protected_count] */
    size_t protected_count;
};

enum {
    REPORT_OPTION_OVERWRITE = 'y',
    REPORT_OPTION_FIRST = 1024,
    REPORT_OPTION_LIMIT = REPORT_OPTION_FIRST,
    REPORT_OPTION_LIMITS,
    REPORT_OPTION_JSON,
    REPORT_OPTION_JUNIT,
    REPORT_OPTION_MARKDOWN,
    REPORT_OPTION_HTML,
    REPORT_OPTION_END
};

/* Rows for a command's table; their groups are those of cmd/cli/help/page.h. */
/* clang-format off */
#define REPORT_OPTIONS                                                                             \
    {"limit", REPORT_OPTION_LIMIT, "RULE=VALUE", 0,                                                \
     "Another limit for one rule, such as picture.counted=12 or picture.counted.warn=4; `--limit help` lists the rules", HELP_LIMITS},       \
    {"limits", REPORT_OPTION_LIMITS, "FILE", 0,                                                    \
     "Limits of this film, from YAML, each with `because`, `measured` and `expires`", HELP_LIMITS},          \
    {"json", REPORT_OPTION_JSON, "FILE", 0, "Write the report as JSON; - is the standard output, also below", HELP_REPORTS},                        \
    {"junit", REPORT_OPTION_JUNIT, "FILE", 0, "Write it as JUnit XML, for CI services", HELP_REPORTS},        \
    {"markdown", REPORT_OPTION_MARKDOWN, "FILE", 0, "Write it as Markdown, for a pull request", HELP_REPORTS}, \
    {"html", REPORT_OPTION_HTML, "FILE", 0, "Write it as one page that holds everything", HELP_REPORTS},   \
    {"overwrite", REPORT_OPTION_OVERWRITE, NULL, 0, "Replace files that exist", HELP_REPORTS}
/* clang-format on */

void report_options_open(struct report_options *options);
void report_options_close(struct report_options *options);

/* Whether a key of a parser of argp is one of these options. */
bool report_options_know(int key);

/* One of these options: STATUS_USAGE or STATUS_IO with the sentence. */
enum status report_options_take(struct report_options *options, int key, const char *argument);

/* A file that no view may replace, or a folder that none may go to. `what` completes the sentence
 * "PATH is ..." and lives as long as the options; the path may be the pattern of a sequence of
 * pictures. Files of limits are protected by themselves. */
void report_options_protect(struct report_options *options, const char *what, const char *path);

/* Whether the views, and `more` (another file that the command writes; NULL: none), can be written
 * without harm; to be asked before anything is made. STATUS_USAGE when one is protected, when two
 * have one name, when one exists and -y is not given, and when a view would replace a film, a
 * picture, a manifest or a baseline. Devices and pipes are always welcome.
 * When all can be written, the views of an earlier run are removed: however this run ends, nobody
 * takes them for its own. */
enum status report_options_prepare(const struct report_options *options, const char *more);

/* Prints the report on the standard output, unless `quiet` or a view goes there ("-"), and writes
 * the files. Returns the
 * report's own status with its sentence, or the failure to write. */
enum status report_options_write(const struct report_options *options, const struct report *report,
                                 bool quiet);

/* Ends a command that failed with `status` before its report was whole: the last case (one called
 * `name` where there is none yet) is not judged and says why, and the files are written. Returns
 * `status` with its sentence; writes nothing after STATUS_STOPPED. */
enum status report_options_give_up(const struct report_options *options, struct report *report,
                                   const char *name, enum status status);

#endif
