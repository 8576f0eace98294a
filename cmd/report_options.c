#include "cmd/report_options.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/part.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/interrupt.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/regression/judge/rules.h"
#include "cmd/regression/record/record.h"
#include "cmd/regression/report/writers.h"
#include "cmd/regression/report/html_page.h"
#include "cmd/regression/report/report_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct protected_path {
    const char *what;
    char *path;
};

void report_options_open(struct report_options *options)
{
    *options = (struct report_options){.backend = "auto"};
    limits_open(&options->limits);
}

void report_options_close(struct report_options *options)
{
    for (size_t i = 0; i < options->protected_count; i++)
        free(options->protected[i].path);
    free(options->protected);
    limits_close(&options->limits);
}

/* ---- options ---- */

static enum status read_limits(struct report_options *options, const char *path)
{
    report_options_protect(options, "the file of limits", path);
    char today[16];
    clock_today(today);
    return limits_read(options->limits, path, today);
}

static void print_limit(const char *what, double value, const char *unit)
{
    if (isfinite(value))
        printf("; %s %g%s%s", what, value, *unit ? " " : "", unit);
}

/* Lists the limits in effect, including those given earlier on the line. */
static void list_rules(const struct limits *limits)
{
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct rule *rule = &rules[i];
        printf("  %-26s %s", rule->name, rule->doc);
        const bool is_setting = rule->flags & RULE_IS_SETTING;
        const double warn = limits_warn(limits, rule), fail = limits_fail(limits, rule);
        print_limit("warns above", is_setting || warn == fail ? INFINITY : warn, rule->unit);
        print_limit(is_setting ? "is" : "fails above", fail, rule->unit);
        const char *because = limits_because(limits, rule);
        printf("%s%s\n", because ? ": " : "", because ? because : "");
    }
}

static enum status take_limit(struct report_options *options, const char *argument)
{
    if (strcmp(argument, "help") == 0) {
        list_rules(options->limits);
        options->answered = true;
        return STATUS_OK;
    }
    const enum status status = limits_set(options->limits, argument);
    return status == STATUS_OK ? status : status_prefix(status, "--limit");
}

static enum status take_device(struct report_options *options, const char *argument)
{
    uint64_t device = 0;
    const enum status status = number_parse("--device", argument, 0, 1023, &device);
    options->device = (int)device;
    return status;
}

static enum status take(struct report_options *options, int key, char *argument)
{
    switch (key) {
    case REPORT_OPTION_LIMIT:
        return take_limit(options, argument);
    case REPORT_OPTION_LIMITS:
        return read_limits(options, argument);
    case REPORT_OPTION_JSON:
        options->json = argument;
        return STATUS_OK;
    case REPORT_OPTION_JUNIT:
        options->junit = argument;
        return STATUS_OK;
    case REPORT_OPTION_MARKDOWN:
        options->markdown = argument;
        return STATUS_OK;
    case REPORT_OPTION_HTML:
        options->html = argument;
        return STATUS_OK;
    case REPORT_OPTION_OVERWRITE:
        options->overwrite = true;
        return STATUS_OK;
    case REPORT_OPTION_BACKEND:
        options->backend = argument;
        return choices_check_backend(argument);
    case REPORT_OPTION_DEVICE:
        return take_device(options, argument);
    case REPORT_OPTION_QUIET:
        options->quiet = true;
        log_set_level(LOG_ERROR);
        return STATUS_OK;
    default:
        return options->take(options->user, key, argument);
    }
}

error_t report_options_parse(int key, char *argument, struct argp_state *state)
{
    struct report_options *options = state->input;
    if (key == ARGP_KEY_ARGS) {
        options->paths = state->argv + state->next;
        options->count = (size_t)(state->argc - state->next);
        return 0;
    }
    if (key < 1 || key >= REPORT_OPTION_END)
        return ARGP_ERR_UNKNOWN;
    failure_keep(&options->refused, take(options, key, argument));
    return 0;
}

/* ---- protected files ---- */

void report_options_protect(struct report_options *options, const char *what, const char *path)
{
    *MEMORY_ADD(options->protected, options->protected_count) =
        (struct protected_path){what, memory_text(path)};
}

static bool is_same(const char *a, const char *b)
{
    char *one = file_resolve(a), *other = file_resolve(b);
    const bool same = file_same(a, b) || strcmp(one, other) == 0;
    free(one);
    free(other);
    return same;
}

/* Whether the path could be a picture of the sequence. */
static bool is_of_sequence(const char *path, const char *pattern)
{
    char extension[32], *folder = file_folder(path), *of_pattern = file_folder(pattern);
    snprintf(extension, sizeof extension, "%s", file_extension(pattern));
    const bool of_it = strchr(pattern, '%') && is_same(folder, of_pattern) &&
                       strcmp(file_extension(path), extension) == 0;
    free(folder);
    free(of_pattern);
    return of_it;
}

static bool is_in_folder(const char *path, const char *folder)
{
    char *itself = text_format("%s/.", folder); /* no file has this path */
    const bool in = file_exists(itself) && file_is_inside(path, folder);
    free(itself);
    return in;
}

static enum status check_protected(const struct report_options *options, const char *path)
{
    enum status status = STATUS_OK;
    char *part = part_name(path); /* the name of the file while it is being written */
    for (size_t i = 0; i < options->protected_count && status == STATUS_OK; i++) {
        const struct protected_path *one = &options->protected[i];
        if (is_same(path, one->path) || is_same(part, one->path) ||
            is_of_sequence(path, one->path) || is_in_folder(path, one->path))
            status =
                status_fail(STATUS_USAGE, "'%s' is %s; choose another name for what is written",
                            path, one->what);
    }
    free(part);
    return status;
}

/* Protects files that follow `--json` by mistake: -y replaces reports and texts only. */
static enum status check_precious(const char *path)
{
    char head[sizeof RECORD_BEGINS] = "";
    size_t size;
    const bool record = file_read_head(path, head, sizeof head - 1, &size) == STATUS_OK &&
                        strcmp(head, RECORD_BEGINS) == 0;
    const char *what = !file_exists(path)         ? NULL
                       : record                   ? "a manifest or a baseline"
                       : own_scene_possible(path) ? "a film or a picture"
                                                  : NULL;
    return !what ? STATUS_OK
                 : status_fail(STATUS_USAGE,
                               "'%s' is %s, which no report replaces, not even with -y; choose "
                               "another name",
                               path, what);
}

static enum status check_output(const struct report_options *options, const char *path, bool report)
{
    enum status status = check_protected(options, path);
    if (status == STATUS_OK && report)
        status = check_precious(path);
    return status == STATUS_OK ? output_check_new(path, options->overwrite, "name") : status;
}

/* Whether the path accepts several reports: a device such as /dev/null; standard output would mix
 * two. */
static bool takes_all(const char *path)
{
    return file_is_special(path) && !file_is_standard(path);
}

static void remove_earlier(const struct report_options *options)
{
    const char *const paths[] = {options->json, options->junit, options->markdown, options->html};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i] && !file_is_special(paths[i]))
            unlink(paths[i]);
}

enum status report_options_prepare(const struct report_options *options, const char *more)
{
    const char *const paths[] = {options->json, options->junit, options->markdown, options->html,
                                 more};
    enum { COUNT = sizeof paths / sizeof *paths };
    enum status status = STATUS_OK;
    for (int i = 0; i < COUNT && status == STATUS_OK; i++) {
        if (!paths[i])
            continue;
        for (int j = 0; j < i && status == STATUS_OK; j++)
            if (paths[j] && is_same(paths[i], paths[j]) && !takes_all(paths[i]))
                status = status_fail(
                    STATUS_USAGE,
                    "'%s' would be written twice with different content; choose a name for each",
                    paths[i]);
        if (status == STATUS_OK && !file_is_special(paths[i]))
            status = check_output(options, paths[i], paths[i] != more);
    }
    if (status == STATUS_OK)
        remove_earlier(options);
    return status;
}

/* ---- output ---- */

static bool wants_output(const struct report_options *options)
{
    const char *const paths[] = {options->json, options->junit, options->markdown, options->html};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i] && file_is_standard(paths[i]))
            return true;
    return false;
}

static enum status write_files(const struct report_options *options, const struct report *report)
{
    enum status status = STATUS_OK;
    if (options->json)
        status = report_write_json(report, options->json);
    if (status == STATUS_OK && options->junit)
        status = report_write_junit(report, options->junit);
    if (status == STATUS_OK && options->markdown)
        status = report_write_markdown(report, options->markdown);
    if (status == STATUS_OK && options->html)
        status = report_write_html(report, options->html, options->json);
    return status;
}

enum status report_options_write(const struct report_options *options, const struct report *report)
{
    if (!options->quiet && !wants_output(options))
        report_print(report, stdout, text_style_of(stdout));
    const enum status status = write_files(options, report);
    return status == STATUS_OK ? report_status(report) : status;
}

enum status report_options_give_up(const struct report_options *options, struct report *report,
                                   const char *name, enum status status)
{
    struct failure failure = {0};
    if (status == STATUS_STOPPED)
        return status;
    failure_keep(&failure, status);
    if (report->case_count == 0)
        report_add_case(report, name);
    case_give_up(&report->cases[report->case_count - 1], failure.sentence);
    report_conclude(report);
    failure_keep(&failure, write_files(options, report));
    return failure_report(&failure);
}

/* ---- the command ---- */

static enum status run(const struct report_command *command, struct report_options *options)
{
    for (size_t i = 0; i < options->count; i++)
        report_options_protect(options, command->what, options->paths[i]);
    enum status status = report_options_prepare(options, command->more ? *command->more : NULL);
    if (status != STATUS_OK)
        return options->refused.status == STATUS_OK ? status : failure_report(&options->refused);
    struct report report = {.command = memory_text(command->name),
                            .program = memory_text("gravreel " GRAVREEL_VERSION)};
    status = failure_report(&options->refused);
    if (status == STATUS_OK)
        status = command->judge(options->user, &report);
    if (status == STATUS_OK) {
        report_conclude(&report);
        status = report_options_write(options, &report);
        status = command->conclude(options->user, &report, status);
    } else {
        status = report_options_give_up(
            options, &report, options->count == 1 ? options->paths[0] : command->name, status);
    }
    report_free(&report);
    return status;
}

int report_command_run(const struct report_command *command, struct report_options *options,
                       int argc, char **argv)
{
    enum status status = arguments_parse(command->argp, command->name, argc, argv, options);
    if (status == STATUS_OK)
        status = options->answered ? failure_report(&options->refused) : run(command, options);
    report_options_close(options);
    return interrupt_exit_code(status, command->left);
}
