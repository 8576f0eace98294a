/* The common part of the commands whose result is a report: their options (limits, the files to
 * write views of the report to, how to simulate), and the run from the command line to the exit
 * code. */
#pragma once

#include "base/status.h"
#include "cmd/regression/judge/report.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

struct report_options {
    /* Takes an option of the command's own; set before the command line is parsed. */
    enum status (*take)(void *user, int key, char *argument);
    void *user;
    struct limits *limits;
    const char *json, *junit, *markdown, *html; /* paths of files; NULL: none */
    const char *backend;                        /* as for simulation_open */
    int device;
    bool overwrite;         /* replaces files that exist */
    bool quiet;             /* prints errors only */
    bool answered;          /* `--limit help`: nothing else to do */
    struct failure refused; /* the first invalid option; the reports that the line names say so */
    char **paths;           /* [count]: the arguments */
    size_t count;
    struct protected_path *protected; /* [protected_count] */
    size_t protected_count;
};

enum {
    REPORT_OPTION_OVERWRITE = 'y',
    REPORT_OPTION_FIRST = 1024, /* the keys of a command's own options are smaller */
    REPORT_OPTION_LIMIT = REPORT_OPTION_FIRST,
    REPORT_OPTION_LIMITS,
    REPORT_OPTION_JSON,
    REPORT_OPTION_JUNIT,
    REPORT_OPTION_MARKDOWN,
    REPORT_OPTION_HTML,
    REPORT_OPTION_BACKEND,
    REPORT_OPTION_DEVICE,
    REPORT_OPTION_QUIET,
    REPORT_OPTION_END
};

/* Rows for a command's table; their groups are those of cmd/cli/help/help_page.h. */
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
    {"overwrite", REPORT_OPTION_OVERWRITE, NULL, 0, "Replace files that exist", HELP_REPORTS},     \
    {"quiet", REPORT_OPTION_QUIET, NULL, 0, "Print errors only", HELP_MESSAGES}
/* clang-format on */

void report_options_open(struct report_options *options);
void report_options_close(struct report_options *options);

/* A parser for argp, whose input are the options. An invalid value does not end the parsing: the
 * rest of the line may name reports, which must say what failed. */
error_t report_options_parse(int key, char *argument, struct argp_state *state);

/* Protects a file that no view may replace, or a folder that no view may be written to. `what`
 * completes the message "PATH is ..." and must outlive the options; the path may be the pattern of
 * a sequence of pictures. Files of limits are protected automatically. */
void report_options_protect(struct report_options *options, const char *what, const char *path);

/* Checks that the views, and `more` (another file that the command writes; NULL: none), can be
 * written without harm; call it before anything is made. STATUS_USAGE if a file is protected, if
 * two have one name, if one exists and -y is not given, and if a view would replace a film, a
 * picture, a manifest or a baseline. Devices and pipes are always accepted. If all can be written,
 * the views of an earlier run are removed, so that they cannot be mistaken for those of this run,
 * however it ends. */
enum status report_options_prepare(const struct report_options *options, const char *more);

/* Prints the report on standard output, unless `quiet` is set or a view goes there ("-"), and
 * writes the files. Returns the report's own status with its message, or the failure to write. */
enum status report_options_write(const struct report_options *options, const struct report *report);

/* Ends a command that failed with `status` before its report was complete: the last case (or, if
 * there is none, a new case called `name`) is marked as not judged, with the reason, and the files
 * are written. Returns `status` with its message; writes nothing after STATUS_STOPPED. */
enum status report_options_give_up(const struct report_options *options, struct report *report,
                                   const char *name, enum status status);

/* A command that judges what its arguments name. */
struct report_command {
    const char *name; /* "verify" */
    const char *what; /* completes the message "PATH is ...", for each argument */
    const char *left; /* see interrupt_exit_code */
    const struct argp *argp;
    /* Adds cases to the report, once the line was accepted and views can be written. */
    enum status (*judge)(void *user, struct report *report);
    /* Converts the status of a written report into the status of the command. */
    enum status (*conclude)(void *user, const struct report *report, enum status status);
    const char *const *more; /* another file that is written, see report_options_prepare; or NULL */
};

/* Parses the command line, checks outputs, judges, and writes the views, also if the line or the
 * judging fails. Returns the exit code. Closes the options. */
int report_command_run(const struct report_command *command, struct report_options *options,
                       int argc, char **argv);
