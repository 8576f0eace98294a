/* gravreel check: films made again and compared with their baselines; what came of it, told in
 * several ways. */
#include "cmd/command.h"
#include "cmd/help/page.h"

#include "base/file.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "base/text.h"
#include "cmd/baseline/accept.h"
#include "cmd/baseline/author.h"
#include "cmd/baseline/baseline.h"
#include "cmd/baseline/check.h"
#include "cmd/baseline/inputs.h"
#include "cmd/baseline/scratch.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/choices.h"
#include "cmd/cli/interrupt.h"
#include "cmd/cli/number.h"
#include "cmd/cli/report_options.h"
#include "cmd/report/json.h"
#include "cmd/version.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_MAX = 1000, PASSED_ON_MAX = 200 };

enum {
    KEY_OUTPUT = 'o',
    KEY_BACKEND = 256,
    KEY_DEVICE,
    KEY_JOBS,
    KEY_IN_CI,
    KEY_SELFTEST,
    KEY_QUIET,
};

struct check {
    const char *output, *backend;
    struct report_options views;
    const char *passed_on[PASSED_ON_MAX]; /* options of limits, as given, for other processes */
    int passed_on_count;
    uint64_t device, jobs; /* jobs 0: by the processors */
    bool in_ci, quiet, selftest;
    bool is_scratch; /* output is a folder that is gone at the end */
    const char *given[CASES_MAX];
    size_t given_count;
    char **path; /* [count]: of each baseline */
    size_t count;
    struct report report;
    struct failure failure; /* why a case could not be judged */
    volatile sig_atomic_t *stop;
};

/* ---- the command line ---- */

static error_t fail(struct check *check, enum status status)
{
    failure_keep(&check->failure, status);
    return EINVAL;
}

/* Limits also go to the processes that check one case each. */
static error_t take_view(struct check *check, int key, const char *argument)
{
    const bool is_limit = key == REPORT_OPTION_LIMIT || key == REPORT_OPTION_LIMITS;
    if (is_limit && check->passed_on_count + 2 > PASSED_ON_MAX)
        return fail(check, status_fail(STATUS_USAGE,
                                       "at most %d limits can be given; put them "
                                       "into a file for --limits",
                                       PASSED_ON_MAX / 2));
    if (is_limit) {
        check->passed_on[check->passed_on_count++] =
            key == REPORT_OPTION_LIMIT ? "--limit" : "--limits";
        check->passed_on[check->passed_on_count++] = argument;
    }
    const enum status status = report_options_take(&check->views, key, argument);
    return status == STATUS_OK ? 0 : fail(check, status);
}

static error_t take(int key, char *argument, struct argp_state *state)
{
    struct check *check = state->input;
    enum status status = STATUS_OK;
    if (report_options_know(key))
        return take_view(check, key, argument);
    switch (key) {
    case KEY_OUTPUT:
        check->output = argument;
        return 0;
    case KEY_BACKEND:
        check->backend = argument;
        status = choices_check_backend(argument);
        return status == STATUS_OK ? 0 : fail(check, status);
    case KEY_DEVICE:
        status = number_parse("--device", argument, 0, 1023, &check->device);
        return status == STATUS_OK ? 0 : fail(check, status);
    case KEY_JOBS:
        status = number_parse("--jobs", argument, 1, 256, &check->jobs);
        return status == STATUS_OK ? 0 : fail(check, status);
    case KEY_SELFTEST:
        check->selftest = true;
        return 0;
    case KEY_IN_CI:
        check->in_ci = true;
        return 0;
    case KEY_QUIET:
        check->quiet = true;
        log_set_level(LOG_ERROR);
        return 0;
    case ARGP_KEY_ARG:
        if (check->given_count == CASES_MAX)
            return fail(check, status_fail(STATUS_USAGE,
                                           "at most %d baselines can be named; name "
                                           "their folder",
                                           CASES_MAX));
        check->given[check->given_count++] = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum status parse(struct check *check, int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"output", KEY_OUTPUT, "FOLDER", 0,
         "Keep the report (report.json), pictures of what differs and what could be accepted here",
         HELP_FILES},
        {"selftest", KEY_SELFTEST, NULL, 0,
         "Also make every change that must not pass, and fail where one does; takes minutes",
         HELP_RUN},
        {"jobs", KEY_JOBS, "N", 0, "Check N baselines at once; default: one per processor",
         HELP_RUN},
        {"backend", KEY_BACKEND, "auto|cpu|cuda", 0, "What simulates; default: auto", HELP_RUN},
        {"device", KEY_DEVICE, "N", 0, "CUDA device", HELP_RUN},
        {"in-ci", KEY_IN_CI, NULL, 0, "Let GRAVREEL_TEST_UPDATE update baselines where CI is set",
         HELP_RUN},
        {"quiet", KEY_QUIET, NULL, 0, "Print errors only", HELP_MESSAGES},
        REPORT_OPTIONS,
        {0},
    };
    const struct argp argp = {
        .options = table,
        .parser = take,
        .args_doc = "BASELINE...",
        .doc = "Renders the films of baselines again and says whether anything has changed, at "
               "which stage, and since which frame. A BASELINE is its text, or a folder of "
               "them.\v"
               "The exit code is 0 when nothing has changed, 3 when something has or "
               "nothing could be compared. GRAVREEL_TEST_UPDATE=1 accepts what has changed, "
               "GRAVREEL_TEST_UPDATE=picture,packets only these stages, for the reason in "
               "GRAVREEL_TEST_BECAUSE.\n"
               "Examples:\n"
               "  gravreel check baselines\n"
               "  gravreel check baselines -y --html report.html --junit junit.xml"};
    check->backend = "auto";
    enum status status = arguments_parse(&argp, "check", argc, argv, check);
    return check->failure.status != STATUS_OK ? failure_report(&check->failure) : status;
}

/* ---- what is to be checked ---- */

static enum status find_one(struct check *check, const char *given)
{
    char **paths;
    size_t count;
    enum status status = baseline_find(given, &paths, &count);
    if (status == STATUS_OK && count == 0)
        status = status_fail(STATUS_MISMATCH,
                             "there is no baseline in '%s'; nothing was compared, which is no pass",
                             given);
    check->path = memory_grow(check->path, check->count + count + 1, sizeof *check->path);
    for (size_t i = 0; i < count; i++)
        check->path[check->count++] = paths[i];
    free(paths);
    return status;
}

static enum status find_all(struct check *check)
{
    enum status status = STATUS_OK;
    if (check->given_count == 0)
        return status_fail(STATUS_USAGE, "no baseline given; for example gravreel check baselines");
    for (size_t i = 0; i < check->given_count && status == STATUS_OK; i++)
        status = find_one(check, check->given[i]);
    if (status == STATUS_OK && check->count > CASES_MAX)
        status = status_fail(STATUS_USAGE,
                             "%zu baselines are more than the %d that are checked at "
                             "once; name fewer",
                             check->count, CASES_MAX);
    return status;
}

/* Candidates and pictures have the baseline's name. */
static enum status check_names(const struct check *check)
{
    for (size_t a = 0; check->output && !check->is_scratch && a < check->count; a++)
        for (size_t b = a + 1; b < check->count; b++) {
            const char *one = strrchr(check->path[a], '/'), *other = strrchr(check->path[b], '/');
            if (strcmp(one ? one + 1 : check->path[a], other ? other + 1 : check->path[b]) == 0)
                return status_fail(STATUS_USAGE,
                                   "'%s' and '%s' have the same name, under which --output keeps "
                                   "what differs; check them one by one",
                                   check->path[a], check->path[b]);
        }
    return STATUS_OK;
}

/* ---- what is not to be written over ---- */

static void protect(void *user, const char *what, const char *path)
{
    report_options_protect(user, what, path);
}

/* A folder of baselines holds nothing else, or the next check takes what is there for one. Where
 * it is the one that this process works in, it is a project's, and may have folders beside. */
static enum status check_folder(const struct check *check, const char *path)
{
    char *folder = file_folder(path);
    char *objects = text_format("%.*s.objects", (int)(strlen(path) - strlen(".json")), path);
    const bool inside = file_is_inside(check->output, folder),
               equal = inside && file_is_inside(folder, check->output);
    enum status status = STATUS_OK;
    if (equal || (inside && !file_same(folder, ".")) || file_is_inside(check->output, objects))
        status = status_fail(STATUS_USAGE,
                             "'%s' lies in '%s', the folder of a baseline; keep the report in "
                             "another with --output",
                             check->output, folder);
    free(objects);
    free(folder);
    return status;
}

/* What a check before has kept there is replaced without being asked; a file that begins otherwise
 * is somebody's own, and stays. */
static enum status check_own(const char *path, const char *begins)
{
    char head[32] = "";
    size_t size = 0;
    if (!file_exists(path))
        return STATUS_OK;
    enum status status = file_read_head(path, head, sizeof head - 1, &size);
    if (status == STATUS_OK && strncmp(head, begins, strlen(begins)) != 0)
        status = status_fail(STATUS_USAGE,
                             "'%s' is in the way of what --output keeps, and no check has written "
                             "it; choose another folder",
                             path);
    return status;
}

static enum status protect_kept(struct check *check, const char *name, const char *begins)
{
    char *path = text_format("%s/%s", check->output, name);
    report_options_protect(&check->views, "what --output keeps", path);
    const enum status status = check_own(path, begins);
    free(path);
    return status;
}

static enum status check_outputs(struct check *check)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < check->count && status == STATUS_OK; i++) {
        const char *slash = strrchr(check->path[i], '/');
        inputs_see(check->path[i], protect, &check->views);
        if (check->output && !check->is_scratch) {
            status = check_folder(check, check->path[i]);
            if (status == STATUS_OK)
                status = protect_kept(check, slash ? slash + 1 : check->path[i],
                                      "{\n \"gravreel_manifest\": ");
        }
    }
    if (status == STATUS_OK && check->output && !check->is_scratch && !check->views.json)
        status = protect_kept(check, "report.json", "{\n \"format\": ");
    return status == STATUS_OK ? report_options_check(&check->views, NULL) : status;
}

/* ---- one case ---- */

static void check_here(struct check *check)
{
    const struct check_params params = {.path = check->path[0],
                                        .output = check->output,
                                        .backend = check->backend,
                                        .device = (int)check->device,
                                        .limits = check->views.limits,
                                        .selftest = check->selftest,
                                        .commit = version_commit,
                                        .stop = check->stop};
    failure_keep(&check->failure, check_baseline(&params, &check->report));
}

/* ---- several, each in a process of its own: one that crashes takes no other along ---- */

struct child {
    pid_t process; /* 0: none */
    size_t which;
    char *json, *log, *output; /* output: NULL: none */
};

static char *number_text(uint64_t value)
{
    return text_format("%llu", (unsigned long long)value);
}

static enum status start(const struct check *check, const struct temporary *scratch, size_t which,
                         struct child *child)
{
    char *device = number_text(check->device);
    const char **arguments = memory_new(32 + (size_t)check->passed_on_count, sizeof *arguments);
    static const char *const no_update[] = {"GRAVREEL_TEST_UPDATE=", NULL};
    int n = 0;
    *child = (struct child){.which = which,
                            .json = text_format("%s/%zu.json", scratch->folder, which),
                            .log = text_format("%s/%zu.log", scratch->folder, which)};
    if (check->output) /* what is gone at the end is kept apart for each */
        child->output = check->is_scratch ? text_format("%s/%zu", check->output, which)
                                          : memory_text(check->output);
    arguments[n++] = "gravreel";
    arguments[n++] = "check";
    arguments[n++] = "--json";
    arguments[n++] = child->json;
    arguments[n++] = "--backend";
    arguments[n++] = check->backend;
    arguments[n++] = "--device";
    arguments[n++] = device;
    if (check->selftest)
        arguments[n++] = "--selftest";
    if (child->output) {
        arguments[n++] = "--output";
        arguments[n++] = child->output;
    }
    for (int i = 0; i < check->passed_on_count; i++)
        arguments[n++] = check->passed_on[i];
    arguments[n++] = "--";
    arguments[n++] = check->path[which];
    enum status status = scratch_start(arguments, no_update, child->log, &child->process);
    free(arguments);
    free(device);
    return status;
}

/* The case as the child tells it; a child that told nothing has crashed. */
static void take_case(struct check *check, const struct child *child, int code)
{
    struct report told = {0};
    struct report *report = &check->report;
    char *said = NULL;
    if (report_read_json(&told, child->json) == STATUS_OK && told.case_count == 1) {
        report->cases = memory_grow(report->cases, report->case_count + 1, sizeof *report->cases);
        report->cases[report->case_count++] = told.cases[0];
        told.case_count = 0;
        if (code != STATUS_OK && code != STATUS_MISMATCH && code <= STATUS_IO)
            failure_keep(&check->failure,
                         status_fail((enum status)code, "%s",
                                     report->cases[report->case_count - 1].sentence));
    } else {
        struct case_report *one = report_add_case(report, check->path[child->which]);
        if (file_read(child->log, 1 << 16, &said, NULL) != STATUS_OK)
            said = memory_text("");
        said[strcspn(said, "\n")] = '\0';
        free(one->sentence);
        one->sentence = text_format("the check of it ended with %s %d%s%s",
                                    code > 128 ? "signal" : "exit code",
                                    code > 128 ? code - 128 : code, *said ? ": " : "", said);
        one->verdict = VERDICT_NOT_JUDGED;
        failure_keep(&check->failure, status_fail(STATUS_RUNTIME, "%s", one->sentence));
    }
    report_free(&told);
    free(said);
}

static void end(struct check *check, struct child *child)
{
    int code = 1;
    enum status status = scratch_wait(child->process, &code);
    if (status != STATUS_OK)
        failure_keep(&check->failure, status);
    take_case(check, child, code);
    free(child->json);
    free(child->log);
    free(child->output);
    *child = (struct child){0};
}

/* A window over the cases, which end in their order. */
static void check_apart(struct check *check)
{
    struct temporary scratch;
    const size_t room = check->jobs ? check->jobs : machine_processors();
    struct child *children = memory_new(room, sizeof *children);
    size_t begun = 0, ended = 0;
    enum status status = temporary_open(&scratch);
    while (status == STATUS_OK && (begun < check->count || ended < begun)) {
        if (begun < check->count && begun - ended < room && !*check->stop) {
            status = start(check, &scratch, begun, &children[begun % room]);
            begun += status == STATUS_OK;
        } else if (ended < begun) {
            end(check, &children[ended++ % room]);
        } else {
            break;
        }
    }
    while (ended < begun)
        end(check, &children[ended++ % room]);
    failure_keep(&check->failure, status);
    temporary_close(&scratch);
    free(children);
}

/* ---- what is told ---- */

static void add_accept_lines(struct check *check, const char *json)
{
    for (uint32_t i = 0; i < check->report.case_count; i++) {
        struct case_report *one = &check->report.cases[i];
        free(one->accept);
        one->accept = NULL;
        if (!one->candidate || verdict_passes(one->verdict))
            continue;
        char stages[128];
        accept_needed(one, stages, sizeof stages);
        char *report = text_quoted(json), *name = text_quoted(one->name);
        one->accept = text_format("gravreel baseline --accept %s --case %s --stage %s --because "
                                  "\"...\"",
                                  report, name, stages);
        free(report);
        free(name);
    }
}

/* The report's own status, with its sentence, or what could not be written. What has been accepted
 * is in the files, and not told as failing. */
static enum status write_views(struct check *check, bool accepted)
{
    struct report_options views = check->views;
    char *own = check->output && !check->is_scratch && !views.json
                    ? text_format("%s/report.json", check->output)
                    : NULL;
    enum status status = STATUS_OK;
    if (own) {
        views.json = own;
        status = file_make_folder(check->output);
    }
    if (views.json && !check->is_scratch && !accepted)
        add_accept_lines(check, views.json);
    if (status == STATUS_OK)
        status = report_options_write(&views, &check->report, check->quiet || accepted);
    free(own);
    return status;
}

/* ---- the environment's update ---- */

/* NULL: none is asked for. */
static const char *asked_update(void)
{
    const char *stages = getenv("GRAVREEL_TEST_UPDATE");
    return stages && *stages && strcmp(stages, "0") != 0 ? stages : NULL;
}

static bool is_every_stage(const char *stages)
{
    return strcmp(stages, "1") == 0;
}

static enum status check_update(const struct check *check, const char *stages)
{
    enum status status = author_allowed(check->in_ci, "GRAVREEL_TEST_UPDATE");
    if (status == STATUS_OK && !is_every_stage(stages)) {
        status = accept_check_stages(stages);
        status = status == STATUS_OK ? status : status_prefix(status, "GRAVREEL_TEST_UPDATE");
    }
    return status;
}

static enum status update(struct check *check, const char *stages)
{
    const char *because = getenv("GRAVREEL_TEST_BECAUSE");
    const struct acceptance acceptance = {
        .stages = is_every_stage(stages) ? NULL : stages,
        .because = because && *because ? because : "updated with GRAVREEL_TEST_UPDATE",
        .in_ci = check->in_ci};
    return accept_report(&acceptance, &check->report, NULL);
}

/* ---- the whole ---- */

/* Why is in the report, and told once: here where that is not printed. */
static enum status tell_outcome(const struct check *check)
{
    const struct report *report = &check->report;
    uint32_t failing = 0;
    if (report->case_count == 1 && check->quiet)
        return status_fail(STATUS_MISMATCH, "%s: %s", report->cases[0].name,
                           report->cases[0].sentence);
    if (report->case_count == 1)
        return status_fail(STATUS_MISMATCH, "'%s' does not pass", report->cases[0].name);
    for (uint32_t i = 0; i < report->case_count; i++)
        failing += !verdict_passes(report->cases[i].verdict);
    return status_fail(STATUS_MISMATCH, "%u of %u baselines do not pass", failing,
                       report->case_count);
}

static enum status conclude(struct check *check)
{
    const char *stages = asked_update();
    struct failure refused = {0};
    bool accepted = false;
    report_conclude(&check->report);
    const bool judged =
        check->failure.status == STATUS_OK || check->failure.status == STATUS_MISMATCH;
    if (stages && judged && report_status(&check->report) == STATUS_MISMATCH) {
        failure_keep(&refused, update(check, stages));
        accepted = refused.status == STATUS_OK;
    }
    enum status status = write_views(check, accepted);
    if (!judged)
        return failure_report(&check->failure);
    if (status != STATUS_MISMATCH)
        return status;
    if (stages)
        return failure_report(&refused); /* none: all is accepted */
    return tell_outcome(check);
}

static enum status run(struct check *check)
{
    struct temporary scratch = {0};
    enum status status = find_all(check);
    const char *stages = asked_update();
    if (status == STATUS_OK && stages)
        status = check_update(check, stages);
    if (status == STATUS_OK && (stages || check->views.html) && !check->output) {
        status = temporary_open(&scratch);
        check->output = scratch.folder;
        check->is_scratch = true;
    }
    if (status == STATUS_OK)
        status = check_names(check);
    if (status == STATUS_OK)
        status = check_outputs(check);
    if (status == STATUS_OK) {
        check->report.command = memory_text("check");
        check->report.program = memory_text("gravreel " GRAVREEL_VERSION);
        check->report.fleeting = check->is_scratch;
        if (check->count == 1)
            check_here(check);
        else
            check_apart(check);
        status = *check->stop ? STATUS_STOPPED : conclude(check);
    }
    temporary_close(&scratch);
    return status;
}

static int run_check(int argc, char **argv)
{
    struct check *check = memory_new(1, sizeof *check);
    report_options_open(&check->views);
    enum status status = parse(check, argc, argv);
    if (status == STATUS_OK && !check->views.answered) {
        check->stop = interrupt_catch();
        status = run(check);
    }
    for (size_t i = 0; i < check->count; i++)
        free(check->path[i]);
    free(check->path);
    report_options_close(&check->views);
    report_free(&check->report);
    free(check);
    return status == STATUS_STOPPED ? 128 + interrupt_signal() : (int)status;
}

const struct command command_check = {
    .name = "check",
    .doc = "compare films with their baselines",
    .run = run_check,
};
