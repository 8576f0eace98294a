/* gravreel check: renders films again and compares them with their baselines; reports the result in
 * several forms. */
#include "base/file.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/interrupt.h"
#include "cmd/command.h"
#include "cmd/regression/baseline/accept.h"
#include "cmd/regression/baseline/check.h"
#include "cmd/regression/record/record.h"
#include "cmd/regression/report/report_json.h"
#include "cmd/regression/baseline/list.h"
#include "cmd/regression/baseline/results.h"
#include "cmd/report_options.h"
#include "sim/solver/solver.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPORTS_MAX = 1000, PASSED_ON_MAX = 200 };

enum { KEY_OUTPUT = 'o', KEY_JOBS = 256, KEY_MERGE, KEY_IN_CI, KEY_ONE_OF_SEVERAL };

struct check {
    struct report_options views;
    const char *output;
    const char *passed_on[PASSED_ON_MAX]; /* options of limits, as given, for child processes */
    int passed_on_count;
    uint64_t jobs; /* 0: by the number of processors */
    bool in_ci;
    bool one_of_several;  /* a process that checks several cases started this one */
    bool is_scratch;      /* output is a temporary folder */
    char *kept;           /* path of the report in output; NULL: none is kept */
    const char *of_a_run; /* an option given that only a check that renders obeys; NULL: none */
    const char *merge[REPORTS_MAX];
    size_t merge_count;
    char **merged; /* [merged_count]: paths of reports */
    size_t merged_count;
    struct baseline_list list;
    struct report report;
    struct failure failure; /* why a case could not be judged */
    volatile sig_atomic_t *stop;
};

/* ---- the command line ---- */

/* Notes an option that only a check that renders obeys, and the options of limits, which are passed
 * on to the processes that check one case each. */
static enum status note(struct check *check, int key, const char *argument)
{
    static const struct {
        int key;
        const char *name;
        bool passed_on;
    } noted[] = {
        {REPORT_OPTION_LIMIT, "--limit", true},
        {REPORT_OPTION_LIMITS, "--limits", true},
        {REPORT_OPTION_BACKEND, "--backend", false},
        {REPORT_OPTION_DEVICE, "--device", false},
        {KEY_JOBS, "--jobs", false},
    };
    for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
        if (noted[i].key != key)
            continue;
        check->of_a_run = noted[i].name;
        if (noted[i].passed_on && check->passed_on_count + 2 > PASSED_ON_MAX)
            return status_fail(STATUS_USAGE,
                               "at most %d limits can be given; put them into a file for --limits",
                               PASSED_ON_MAX / 2);
        if (noted[i].passed_on) {
            check->passed_on[check->passed_on_count++] = noted[i].name;
            check->passed_on[check->passed_on_count++] = argument;
        }
    }
    return STATUS_OK;
}

static enum status take(void *user, int key, char *argument)
{
    struct check *check = user;
    switch (key) {
    case KEY_OUTPUT:
        check->output = argument;
        return STATUS_OK;
    case KEY_JOBS:
        return number_parse("--jobs", argument, 1, 256, &check->jobs);
    case KEY_MERGE:
        if (check->merge_count == REPORTS_MAX)
            return status_fail(STATUS_USAGE, "at most %d reports can be named; name their folder",
                               REPORTS_MAX);
        check->merge[check->merge_count++] = argument;
        return STATUS_OK;
    case KEY_IN_CI:
        check->in_ci = true;
        return STATUS_OK;
    default:
        check->one_of_several = true;
        return STATUS_OK;
    }
}

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    struct check *check = state->input;
    failure_keep(&check->views.refused, note(check, key, argument));
    return report_options_parse(key, argument, state);
}

static enum status parse(struct check *check, int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"output", KEY_OUTPUT, "FOLDER", 0,
         "Keep the report (report.json), pictures of what differs and what could be accepted here",
         HELP_FILES},
        {"merge", KEY_MERGE, "REPORT", 0,
         "Render nothing; take the results from this report of an earlier check, or from every "
         "report.json in this folder; can be given several times",
         HELP_FILES},
        {"jobs", KEY_JOBS, "N", 0, "Check N baselines at once; default: one per processor",
         HELP_RUN},
        {"backend", REPORT_OPTION_BACKEND, solver_choices, 0, "Simulation backend; default: auto",
         HELP_RUN},
        {"device", REPORT_OPTION_DEVICE, "N", 0, "CUDA device", HELP_RUN},
        {"in-ci", KEY_IN_CI, NULL, 0, "Let GRAVREEL_TEST_UPDATE update baselines where CI is set",
         HELP_RUN},
        {"one-of-several", KEY_ONE_OF_SEVERAL, NULL, OPTION_HIDDEN, NULL, HELP_RUN},
        REPORT_OPTIONS,
        {0},
    };
    const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .args_doc = "BASELINE...",
        .doc = "Renders the films of baselines again and says whether anything has changed, at "
               "which stage, and since which frame. A BASELINE is its JSON file, or a folder, "
               "which is searched with its subfolders.\v"
               "The exit code is 0 when nothing has changed, 3 when something has or "
               "nothing could be compared. GRAVREEL_TEST_UPDATE=1 accepts what has changed, "
               "GRAVREEL_TEST_UPDATE=picture,packets only these stages, for the reason in "
               "GRAVREEL_TEST_BECAUSE.\n"
               "Examples:\n"
               "  gravreel check baselines\n"
               "  gravreel check baselines --merge reports -o all\n"
               "  gravreel check baselines -y --html report.html --junit junit.xml"};
    return arguments_parse(&argp, "check", argc, argv, check);
}

/* ---- protected files ---- */

/* The report that is written as JSON; NULL: none. */
static const char *own_report(const struct check *check)
{
    return check->kept ? check->kept : check->views.json;
}

/* Files of an earlier check in --output are removed before the reports are merged. */
static enum status protect_merged(struct check *check)
{
    for (size_t i = 0; i < check->merged_count; i++) {
        report_options_protect(&check->views, "one of the reports to merge", check->merged[i]);
        if (check->kept && file_same(check->kept, check->merged[i]))
            return status_fail(STATUS_USAGE,
                               "'%s' is one of the reports to merge; choose another folder with "
                               "--output",
                               check->kept);
    }
    return STATUS_OK;
}

static void protect(void *user, const char *what, const char *path)
{
    report_options_protect(user, what, path);
}

static const char kept_by_output[] = "what --output keeps";

static enum status protect_kept(struct check *check, const char *name, const char *begins)
{
    char *path = text_format("%s/%s", check->output, name);
    report_options_protect(&check->views, kept_by_output, path);
    const enum status status = baseline_list_check_own(path, begins);
    free(path);
    return status;
}

/* The path of the report kept in --output, unless --json names the same file; if there are several
 * baselines, the parent process keeps one report for all. */
static char *find_kept(const struct check *check)
{
    char *kept = check->output && !check->one_of_several
                     ? text_format("%s/report.json", check->output)
                     : NULL;
    char *given = kept && check->views.json ? file_resolve(check->views.json) : NULL,
         *own = given ? file_resolve(kept) : NULL;
    if (given && strcmp(given, own) == 0) {
        free(kept);
        kept = NULL;
    }
    free(given);
    free(own);
    return kept;
}

static enum status check_outputs(struct check *check)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < check->list.count && status == STATUS_OK; i++) {
        inputs_see(check->list.items[i].path, protect, &check->views);
        if (check->output) {
            status = listed_check_output(&check->list.items[i], check->output);
            if (status == STATUS_OK)
                status = protect_kept(check, check->list.items[i].below, RECORD_BEGINS);
        }
    }
    if (status == STATUS_OK)
        status = protect_merged(check);
    if (status == STATUS_OK && check->kept)
        status = baseline_list_check_own(check->kept, REPORT_BEGINS);
    if (check->kept)
        report_options_protect(&check->views, kept_by_output, check->kept);
    if (status == STATUS_OK)
        status = report_options_prepare(&check->views, NULL);
    if (status == STATUS_OK && check->kept)
        unlink(check->kept);
    return status;
}

/* ---- cases in this process ---- */

/* Returns the folder for what is kept of a case; NULL: nothing is kept. The caller frees it. */
static char *output_of(const struct check *check, size_t i)
{
    if (!check->output || i >= check->list.count)
        return NULL;
    return check->is_scratch && check->list.count > 1
               ? text_format("%s/%zu", check->output, i)
               : listed_output(&check->list.items[i], check->output);
}

/* Collective on ranks; rank 0 has the list. */
static void check_here(struct check *check, size_t i)
{
    const bool listed = i < check->list.count;
    char *output = output_of(check, i);
    const struct check_params params = {.path = listed ? check->list.items[i].path : "",
                                        .output = output,
                                        .backend = check->views.backend,
                                        .device = check->views.device,
                                        .limits = check->views.limits,
                                        .commit = version_commit,
                                        .stop = check->stop};
    const enum status status = check_baseline(&params, &check->report);
    if (status != STATUS_MISMATCH) /* the case says it, and does not pass */
        failure_keep(&check->failure, status);
    if (listed && check->report.case_count > i)
        listed_name_case(&check->list.items[i], &check->report.cases[i]);
    free(output);
}

/* ---- cases in processes of their own ---- */

static void check_apart(struct check *check)
{
    const struct check_pool pool = {.list = &check->list,
                                    .room = check->jobs ? check->jobs : machine_processors(),
                                    .output = check->output,
                                    .is_scratch = check->is_scratch,
                                    .backend = check->views.backend,
                                    .device = check->views.device,
                                    .passed_on = check->passed_on,
                                    .passed_on_count = check->passed_on_count,
                                    .stop = check->stop};
    check_pool_run(&pool, &check->report, &check->failure);
}

/* ---- output ---- */

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

static enum status write_kept(const struct check *check)
{
    if (!check->kept)
        return STATUS_OK;
    const enum status status = file_make_folder(check->output);
    return status == STATUS_OK ? report_write_json(&check->report, check->kept) : status;
}

/* Returns the report's own status, with its message, or the failure to write. Accepted changes are
 * in the files and do not count as failures. */
static enum status write_views(struct check *check, bool accepted)
{
    const char *json = own_report(check);
    struct failure failure = {0};
    check->views.quiet = check->views.quiet || accepted;
    if (json && !check->is_scratch && !accepted)
        add_accept_lines(check, json);
    failure_keep(&failure, write_kept(check));
    failure_keep(&failure, report_options_write(&check->views, &check->report));
    return failure_report(&failure);
}

/* ---- the environment's update ---- */

/* NULL: not set. */
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

/* The message is in the report; it is printed here only if the report was not printed. */
static enum status tell_outcome(const struct check *check)
{
    const struct report *report = &check->report;
    uint32_t failing = 0;
    if (report->case_count == 1 && check->views.quiet)
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
        return failure_report(&refused); /* no failure: everything has been accepted */
    return tell_outcome(check);
}

/* Checks everything that can be checked before rendering, and merges reports. */
static enum status get_ready(struct check *check, struct temporary *scratch)
{
    const char *stages = asked_update();
    enum status status = check->output ? baseline_list_check_names(&check->list) : STATUS_OK;
    if (status == STATUS_OK && check->merge_count && check->of_a_run)
        status = status_fail(STATUS_USAGE,
                             "--merge takes the results of earlier checks and renders nothing, so "
                             "%s changes nothing; leave it out",
                             check->of_a_run);
    if (status == STATUS_OK && stages)
        status = check_update(check, stages);
    if (status == STATUS_OK && check->merge_count)
        return report_merge(&check->report, &check->list, check->merged, check->merged_count);
    if (status == STATUS_OK && (stages || check->views.html) && !check->output) {
        status = temporary_open(scratch);
        check->output = scratch->folder;
        check->is_scratch = true;
    }
    return status;
}

/* Writes the reports of a check that compared nothing; they say why. */
static enum status give_up(struct check *check, enum status status)
{
    struct failure failure = {0};
    failure_keep(&failure, report_options_give_up(&check->views, &check->report, "check", status));
    failure_keep(&failure, write_kept(check));
    return failure_report(&failure);
}

/* `failure`: an error in the command line. The reports that the line names say what it was, as soon
 * as it is known that they may be written. *count: how many baselines are to be checked. */
static enum status prepare(struct check *check, struct temporary *scratch, size_t *count)
{
    failure_keep(&check->failure,
                 baseline_list_find(&check->list, (const char *const *)check->views.paths,
                                    check->views.count));
    check->report.command = memory_text("check");
    check->report.program = memory_text("gravreel " GRAVREEL_VERSION);
    check->kept = find_kept(check);
    report_merge_find(check->merge, check->merge_count, own_report(check), &check->merged,
                      &check->merged_count);
    enum status status = check_outputs(check);
    if (status != STATUS_OK)
        return check->failure.status == STATUS_OK ? status : failure_report(&check->failure);
    failure_keep(&check->failure, get_ready(check, scratch));
    if (check->failure.status != STATUS_OK)
        return give_up(check, failure_report(&check->failure));
    check->report.fleeting = check->is_scratch;
    *count = check->merge_count == 0 ? check->list.count : 0;
    return STATUS_OK;
}

/* Ranks check one baseline after the other, because all of them compute the forces of each. */
static enum status run(struct check *check)
{
    struct temporary scratch = {0};
    size_t count = 0;
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = prepare(check, &scratch, &count);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = ranks_first(&count, sizeof count);
    if (status == STATUS_OK && count > 1 && !ranks_are_together())
        check_apart(check);
    else
        for (size_t i = 0; status == STATUS_OK && i < count && !ranks_stop(check->stop); i++)
            check_here(check, i);
    if (check->jobs && ranks_are_together())
        log_warning("ranks check one baseline after the other, so --jobs changes nothing");
    const bool stopped = ranks_stop(check->stop);
    if (ranks_begin_first() && status == STATUS_OK)
        status = stopped ? STATUS_STOPPED : conclude(check);
    status = ranks_end_first(status);
    temporary_close(&scratch);
    return status;
}

static int run_check(int argc, char **argv)
{
    struct check *check = memory_new(1, sizeof *check);
    report_options_open(&check->views);
    check->views.take = take;
    check->views.user = check;
    enum status status = parse(check, argc, argv);
    check->failure = check->views.refused;
    if (status == STATUS_OK && check->views.answered) {
        status = failure_report(&check->failure);
    } else if (status == STATUS_OK) {
        check->stop = interrupt_catch();
        status = run(check);
    }
    baseline_list_free(&check->list);
    for (size_t i = 0; i < check->merged_count; i++)
        free(check->merged[i]);
    free(check->merged);
    free(check->kept);
    report_options_close(&check->views);
    report_free(&check->report);
    free(check);
    return interrupt_exit_code(status, "no report was written");
}

const struct command command_check = {
    .name = "check",
    .doc = "compare films with their baselines",
    .run = run_check,
    .on_ranks = true,
};
