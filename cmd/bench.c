#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/bench/suites/suites.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/command.h"
#include "sim/solver/solver.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SUITE = 256, KEY_BACKEND, KEY_DEVICE, KEY_JSON, KEY_PLOT, KEY_QUICK };
enum { COUNT_MAX = 1 << 27, TEXT_MAX = 256 };

struct request {
    const char *suite, *backend, *json_path, *plot_path;
    bool json;
    struct bench_options options;
};

/* ---- command line ---- */

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    uint64_t number = 0;
    switch (key) {
    case KEY_SUITE:
        request->suite = argument;
        return 0;
    case 'n':
        if (number_parse("-n", argument, 1, COUNT_MAX, &number) != STATUS_OK)
            return EINVAL;
        request->options.count = (size_t)number;
        return 0;
    case KEY_BACKEND:
        request->backend = argument;
        return 0;
    case KEY_DEVICE:
        if (number_parse("--device", argument, 0, INT_MAX, &number) != STATUS_OK)
            return EINVAL;
        request->options.device = (int)number;
        return 0;
    case KEY_JSON:
        request->json = true;
        request->json_path = argument && file_is_standard(argument) ? NULL : argument;
        return 0;
    case KEY_PLOT:
        request->plot_path = argument;
        return 0;
    case KEY_QUICK:
        request->options.quick = true;
        return 0;
    case ARGP_KEY_ARG:
        (void)status_fail(STATUS_USAGE,
                          "bench takes options only, found '%s'; did you mean --suite %s?",
                          argument, argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option table[] = {
    {"suite", KEY_SUITE, "NAME", 0, "Suite to run, or 'all'; 'help' lists them (default: solver)",
     HELP_OTHER},
    {"count", 'n', "N", 0, "Number of bodies, instead of the suite's own", HELP_OTHER},
    {"backend", KEY_BACKEND, "auto|cpu|cuda", 0,
     "Backends to measure; auto, the default: all that this machine has", HELP_OTHER},
    {"device", KEY_DEVICE, "ORDINAL", 0, "CUDA device (default 0)", HELP_OTHER},
    {"json", KEY_JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write the tables as JSON; without FILE to the standard output, instead of the text",
     HELP_OTHER},
    {"plot", KEY_PLOT, "FILE.svg", 0, "Draw the tables", HELP_OTHER},
    {"quick", KEY_QUICK, NULL, 0, "Fewer and smaller cases, in less than half a minute",
     HELP_OTHER},
    {0},
};

/* getopt takes the value of an optional argument only after '=', but people type `--json FILE`. The
 * joined word replaces the first of the two; free it after use. */
static char *join_json(int *argc, char **argv)
{
    for (int i = 1; i + 1 < *argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--json") != 0 || (argv[i + 1][0] == '-' && argv[i + 1][1]))
            continue;
        char *joined = text_format("--json=%s", argv[i + 1]);
        argv[i] = joined;
        for (int k = i + 1; k < *argc; k++)
            argv[k] = argv[k + 1]; /* argv[argc] is NULL */
        (*argc)--;
        return joined;
    }
    return NULL;
}

static enum status check_request(const struct request *request)
{
    enum status status = choices_check_backend(request->backend);
    if (status != STATUS_OK || !request->plot_path)
        return status;
    return bench_check_plot(request->plot_path);
}

/* ---- running ---- */

static enum status choose_backends(struct request *request, struct bench_report *report)
{
    struct bench_options *options = &request->options;
    char text[TEXT_MAX];
    bool automatic = strcmp(request->backend, "auto") == 0;
    options->cpu = automatic || strcmp(request->backend, "cpu") == 0;
    enum status status = STATUS_OK;
    if (automatic || strcmp(request->backend, "cuda") == 0) {
        status = solver_cuda.probe(options->device);
        options->cuda = status == STATUS_OK;
        if (automatic && status != STATUS_OK) {
            snprintf(options->no_cuda, sizeof options->no_cuda, "%s", status_text());
            status = STATUS_OK;
        }
    }
    if (status == STATUS_OK)
        status = solver_cpu.probe(0);
    if (status == STATUS_OK && solver_cpu.describe(0, text, sizeof text) == STATUS_OK)
        report->cpu = memory_text(text);
    if (options->cuda && solver_cuda.describe(options->device, text, sizeof text) == STATUS_OK)
        report->cuda = memory_text(text);
    return status;
}

/* Logs a finished row as one line, so that there is some output before its table. */
static void tell_row(void *user, const struct bench_table *of, size_t row)
{
    char *line = memory_text("");
    (void)user;
    for (size_t c = 0; c < of->column_count; c++) {
        char cell[STATUS_TEXT_MAX];
        const enum bench_kind kind = bench_cell(of, row, c)->kind;
        if (kind == BENCH_EMPTY || of->columns[c].published)
            continue;
        bench_cell_text(of, row, c, cell, sizeof cell);
        const bool unit = kind == BENCH_NUMBER && *of->columns[c].unit;
        text_append(&line, ", ", "%s%s%s", kind == BENCH_FAILED ? "failed" : cell, unit ? " " : "",
                    unit ? of->columns[c].unit : "");
    }
    log_info("%s: %s", of->suite, line);
    free(line);
}

static void print_table(void *user, const struct bench_table *ready)
{
    failure_keep(user, bench_print_table(ready));
}

static enum status deliver(const struct request *request, const struct bench_report *report)
{
    enum status status = STATUS_OK;
    if (request->json)
        status = bench_write_json(report, request->json_path);
    if (status == STATUS_OK && request->plot_path)
        status = bench_plot(report, request->plot_path);
    return status;
}

static enum status run_request(struct request *request)
{
    const struct choice *suite;
    struct bench_report report = {0};
    struct failure written = {0};
    if (strcmp(request->suite, "help") == 0) {
        choices_list(&bench_suite_registry);
        return STATUS_OK;
    }
    enum status status = check_request(request);
    if (status == STATUS_OK)
        status = choice_require(&bench_suite_registry, request->suite, &suite);
    if (ranks_begin_first() && status == STATUS_OK)
        status = choose_backends(request, &report);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = ranks_first(&request->options, sizeof request->options);
    report.watcher = (struct bench_watcher){.row = tell_row, .user = &written};
    if (status == STATUS_OK && (!request->json || request->json_path)) {
        report.watcher.table = print_table;
        status = bench_print_machine(&report);
    }
    if (status == STATUS_OK)
        status = bench_run_suite((const struct bench_suite *)suite, &request->options, &report);
    failure_keep(&written, status);
    status = failure_report(&written);
    if (ranks_begin_first() && status == STATUS_OK)
        status = deliver(request, &report);
    bench_report_free(&report);
    return ranks_end_first(status);
}

static int run_bench(int argc, char **argv)
{
    static const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .doc = "Measures force kernels, files and films on this machine, each row beside its "
               "bound, and published kernels beside the figures that were published for them. "
               "Every kernel is checked against double precision before it is timed; one that is "
               "wrong or does not run is reported as failed.\v"
               "Examples:\n"
               "  gravreel bench --quick\n"
               "  gravreel bench --suite help\n"
               "  gravreel bench --suite all --quick --json bench.json",
    };
    struct request request = {.suite = "solver", .backend = "auto"};
    char *joined = join_json(&argc, argv);
    enum status status = arguments_parse(&argp, "bench", argc, argv, &request);
    if (status == STATUS_OK)
        status = run_request(&request);
    free(joined);
    return (int)status;
}

const struct command command_bench = {
    .name = "bench",
    .doc = "measure force kernels on this machine, beside published figures",
    .run = run_bench,
    .on_ranks = true,
};
