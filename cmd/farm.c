/* gravreel farm: writes the job file that renders a film on many machines, or many films, or checks
 * baselines. */
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/interrupt.h"
#include "cmd/cli/options.h"
#include "cmd/command.h"
#include "cmd/film/farm/engines.h"
#include "cmd/film/farm/tasks.h"
#include "cmd/regression/baseline/baseline.h"
#include "cmd/regression/baseline/list.h"

#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>

/* ---- a farm of checks ---- */

/* A folder for each baseline, so that its report is not another's. */
static char *folder_of(const struct farm_request *request, const struct listed *listed)
{
    char *name = listed_name(listed), *folder = text_format("%s/%s", request->output, name);
    free(name);
    return folder;
}

static char *report_of(const struct farm_request *request, const struct listed *listed)
{
    char *folder = folder_of(request, listed), *report = text_format("%s/report.json", folder);
    free(folder);
    return report;
}

static enum status check_baseline(const struct farm_request *request, const struct listed *listed)
{
    struct baseline baseline = {0};
    char *report = report_of(request, listed);
    enum status status = farm_check_name(listed->path);
    if (status == STATUS_OK)
        status = baseline_read(&baseline, listed->path);
    if (status == STATUS_OK)
        status = listed_check_output(listed, request->output);
    if (status == STATUS_OK)
        status = baseline_list_check_own(report, REPORT_BEGINS);
    baseline_free(&baseline);
    free(report);
    return status;
}

static enum status check_request(const struct farm_request *request,
                                 const struct baseline_list *list)
{
    enum status status = farm_check_name(request->output);
    if (status == STATUS_OK)
        status = baseline_list_check_names(list);
    for (size_t i = 0; i < list->count && status == STATUS_OK; i++)
        status = check_baseline(request, &list->items[i]);
    return status;
}

static char *check_line(const struct farm_request *request, const struct listed *listed,
                        size_t task)
{
    char *folder = folder_of(request, listed), *device = farm_device_options(request, task);
    char *line = farm_append(memory_text("gravreel check"), listed->path);
    char *out = text_format("%s%s -o", line, device);
    free(line);
    free(device);
    line = farm_append(out, folder);
    free(folder);
    return line;
}

static char *merge_line(const struct farm_request *request)
{
    char *line = memory_text("gravreel check");
    for (size_t i = 0; i < request->count; i++)
        line = farm_append(line, request->inputs[i]);
    char *output = text_quoted(request->output),
         *page = text_format("%s/report.html", request->output), *quoted_page = text_quoted(page);
    char *out = text_format("%s --merge %s -o %s --html %s -y", line, output, output, quoted_page);
    free(line);
    free(output);
    free(page);
    free(quoted_page);
    return out;
}

static void plan_lines(struct farm_plan *plan, const struct farm_request *request,
                       const struct baseline_list *list)
{
    /* a task that never begins must not leave the report of an earlier job to be merged */
    plan->begin = memory_text("rm -f");
    for (size_t i = 0; i < list->count; i++) {
        char *report = report_of(request, &list->items[i]);
        plan->begin = farm_append(plan->begin, report);
        free(report);
        plan->draw[i] = check_line(request, &list->items[i], i);
    }
    plan->finish = merge_line(request);
    plan->report = plan->checks = true;
}

/* The request's inputs are baselines or folders of them; the reports are kept in its output, those
 * of the tasks in a folder per baseline. STATUS_USAGE, or what reading a baseline gave. Free with
 * farm_plan_free in every case. The request's texts must outlive the plan. */
static enum status farm_checks_plan(struct farm_plan *plan, const struct farm_request *request)
{
    static const struct farm_need need = {.memory = (double)((uint64_t)4 << 30), .minutes = 60};
    struct baseline_list list;
    enum status status = baseline_list_find(&list, request->inputs, request->count);
    if (status == STATUS_OK)
        status = check_request(request, &list);
    if (status == STATUS_OK) {
        farm_plan_start(plan, request, list.count, &need);
        plan_lines(plan, request, &list);
        log_info("%zu baseline%s, a task each, with %u cores, %" PRIu64 " MiB and at most %" PRIu64
                 " minutes; change these with --cpus, --mem and --time",
                 list.count, list.count == 1 ? "" : "s", plan->cpus, plan->mebibytes,
                 plan->minutes);
    }
    baseline_list_free(&list);
    return status;
}

/* ---- the command ---- */

enum {
    KEY_ENGINE = OPTION_OWN,
    KEY_TASKS,
    KEY_CPUS,
    KEY_GPUS,
    KEY_MEM,
    KEY_TIME,
    KEY_PARTITION,
    KEY_CHECK
};

enum { TASKS_MOST = 10000, CPUS_MOST = 4096, GPUS_MOST = 64, MINUTES_MOST = 100000 };

struct farm {
    struct render_options options;
    struct farm_request request;
    const struct farm_engine *engine;
    struct farm_scenes scenes;
    bool check;           /* the inputs are baselines */
    const char *job_file; /* "-": the standard output */
};

static enum status take_engine(struct farm *farm, const char *name)
{
    const struct choice *found;
    enum status status = choice_require(&farm_engine_registry, name, &found);
    farm->engine = (const void *)found;
    return status == STATUS_OK ? status : status_prefix(status, "--engine");
}

static enum status take(void *user, int key, char *argument)
{
    struct farm *farm = user;
    struct farm_request *request = &farm->request;
    switch (key) {
    case KEY_ENGINE:
        return take_engine(farm, argument);
    case KEY_TASKS:
        return number_parse("--tasks", argument, 1, TASKS_MOST, &request->tasks);
    case KEY_CPUS:
        return count_parse("--cpus", argument, CPUS_MOST, &request->cpus);
    case KEY_GPUS:
        return count_parse("--gpus", argument, GPUS_MOST, &request->gpus);
    case KEY_MEM:
        return text_parse_bytes("--mem", argument, &farm->request.memory);
    case KEY_TIME:
        return number_parse("--time", argument, 1, MINUTES_MOST, &request->minutes);
    case KEY_CHECK:
        farm->check = true;
        return STATUS_OK;
    default:
        request->partition = argument;
        return STATUS_OK;
    }
}

static enum status check(struct farm *farm)
{
    const struct render_options *options = &farm->options;
    if (!options->output)
        return status_fail(STATUS_USAGE, "no output given; name the film with -o, for example -o "
                                         "film.mp4, or the folder of several films or of reports");
    if (!farm->engine) {
        char names[128];
        choice_names(&farm_engine_registry, names, sizeof names);
        return status_fail(STATUS_USAGE, "no scheduler given; name one with --engine: %s", names);
    }
    if (farm->check && farm->request.tasks)
        return status_fail(STATUS_USAGE, "--tasks divides one film into ranges, and a check has a "
                                         "task per baseline; leave out --tasks");
    if (farm->check && options->carried)
        return status_fail(STATUS_USAGE,
                           "a check renders each baseline as it was recorded; leave out%s",
                           options->carried);
    if (options->has_range)
        return status_fail(STATUS_USAGE,
                           "the job divides the whole film into ranges; leave out "
                           "--frames A..B, or give --frames N for a film of N frames");
    if (options->request.bodies_from && file_is_standard(options->request.bodies_from))
        return status_fail(STATUS_USAGE, "the job's tasks cannot read the standard input; name a "
                                         "file with --bodies-from");
    farm->job_file = options->job_file ? options->job_file : "-";
    return output_check_new(farm->job_file, options->overwrite, "-O");
}

/* The scenes, or baselines, and whether each becomes a film of its own. */
static enum status fill_inputs(struct farm *farm)
{
    const struct render_options *options = &farm->options;
    struct farm_request *request = &farm->request;
    request->inputs = options->scenes;
    request->count = (size_t)options->scene_count;
    if (farm->check)
        return STATUS_OK;
    if (request->count == 0) {
        request->inputs = &options->request.scene; /* the default */
        request->count = 1;
    }
    enum status status = farm_scenes_find(&farm->scenes, request->inputs, request->count);
    request->inputs = (const char *const *)farm->scenes.paths;
    request->count = farm->scenes.count;
    request->films = farm->scenes.folder || request->count > 1;
    if (status == STATUS_OK && request->films && request->tasks)
        status =
            status_fail(STATUS_USAGE,
                        "--tasks divides one film into ranges, but %zu scene%s are given, each "
                        "a task of its own; leave out --tasks",
                        request->count, request->count == 1 ? " of a folder" : "s");
    return status;
}

static enum status fill_request(struct farm *farm)
{
    const struct render_options *options = &farm->options;
    struct farm_request *request = &farm->request;
    request->changes = &options->request;
    request->carried = options->carried;
    request->metadata = options->metadata;
    request->encoders = options->encoders;
    request->waiting = options->memory;
    request->output = options->output;
    request->backend = options->backend;
    request->device = options->device;
    request->overwrite = options->overwrite;
    request->one_machine = farm->engine->one_machine;
    request->stop = interrupt_catch();
    return fill_inputs(farm);
}

static enum status write_job(const struct farm *farm, const struct farm_plan *plan)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return status_fail(STATUS_RUNTIME, "cannot collect the job file: out of memory");
    farm->engine->write(file, plan);
    fclose(file);
    enum status status = file_write(farm->job_file, text, size);
    free(text);
    return status;
}

static void tell_start(const struct farm *farm, const struct farm_plan *plan)
{
    char *name = text_quoted(file_is_special(farm->job_file) ? "FILE" : farm->job_file),
         *command = farm->engine->start(plan);
    log_info("start it with: %s %s", command, name);
    free(name);
    free(command);
}

static int farm_out(struct farm *farm)
{
    struct farm_plan plan = {0};
    enum status status = check(farm);
    if (status == STATUS_OK)
        status = fill_request(farm);
    if (status == STATUS_OK)
        status = farm->check ? farm_checks_plan(&plan, &farm->request)
                             : farm_films_plan(&plan, &farm->request);
    if (status == STATUS_OK)
        status = write_job(farm, &plan);
    if (status == STATUS_OK)
        tell_start(farm, &plan);
    farm_plan_free(&plan);
    return interrupt_exit_code(status, "nothing was written");
}

static int run_farm(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"output", OPTION_OUTPUT, "OUT", 0,
         "The film, .mp4 .mkv .mov or .webm; the folder of several films, or of reports",
         HELP_FILES},
        {"job-file", OPTION_JOB_FILE, "FILE", 0,
         "Write the job file here; default: standard output", HELP_FILES},
        {"check", KEY_CHECK, NULL, 0,
         "Check baselines, named in place of scenes, a task each, and merge their reports",
         HELP_RUN},
        {"engine", KEY_ENGINE, "slurm|opencue|flamenco|make|list", 0,
         "The scheduler that runs the job file", HELP_RUN},
        {"tasks", KEY_TASKS, "N", 0,
         "Ranges of the film; default: as many as are of use, by a forecast", HELP_RUN},
        {"cpus", KEY_CPUS, "N", 0, "Cores of a task; default: as many as this machine has",
         HELP_RUN},
        {"gpus", KEY_GPUS, "N", 0,
         "GPUs of a task, by default 1 if this machine uses one; with make, those of the machine, "
         "which the tasks take in turn",
         HELP_RUN},
        {"mem", KEY_MEM, "SIZE", 0,
         "Memory of a task, such as 2G; default: by the forecast; 4G for a check", HELP_RUN},
        {"time", KEY_TIME, "MINUTES", 0,
         "Time limit of a task; default: three times the forecast and ten minutes; 60 for a check",
         HELP_RUN},
        {"partition", KEY_PARTITION, "NAME", 0, "Slurm's partition; default: the cluster's",
         HELP_RUN},
        {0},
    };
    struct farm *farm = memory_new(1, sizeof *farm);
    const struct scene_command command = {
        .name = "farm",
        .args_doc = "SCENE...\n--check BASELINE...",
        .doc = "Writes a job file that renders a film on many machines: it simulates once, draws "
               "ranges as soon as the simulation reaches them, joins and verifies the film, and "
               "continues what was interrupted. Several scenes, or the scenes in a folder, become "
               "a film each. Says beforehand how much the machines gain.\v"
               "Examples:\n"
               "  gravreel farm film.yaml -o film.mp4 --tasks 20 --engine slurm -O film.sh\n"
               "  gravreel farm film.yaml -o film.mp4 --tasks 8 --gpus 4 --engine make -O film.mk\n"
               "  gravreel farm scenes-folder -o films --engine slurm -O films.sh\n"
               "  gravreel farm --check baselines -o reports --engine slurm -O check.sh",
        .taker = TAKER_FARM,
        .many = true,
        .options = table,
        .take = take,
        .user = farm,
    };
    enum status status = scene_command_parse(&command, &farm->options, argc, argv);
    int code = (int)status;
    if (status == STATUS_OK && !farm->options.answered)
        code = farm_out(farm);
    farm_scenes_free(&farm->scenes);
    render_options_free(&farm->options);
    free(farm);
    return code;
}

const struct command command_farm = {
    .name = "farm",
    .doc = "write a job file that renders a film on many machines",
    .run = run_farm,
};
