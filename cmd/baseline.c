/* gravreel baseline: records films as baselines, and accepts changes that a check has shown. */
#include "base/file.h"
#include "base/log.h"
#include "base/ranks/ranks.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/interrupt.h"
#include "cmd/cli/options.h"
#include "cmd/command.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/regression/baseline/accept.h"
#include "cmd/regression/baseline/objects.h"
#include "cmd/regression/baseline/baseline_make.h"
#include "cmd/regression/report/report_json.h"

#include <argp.h>
#include <stdlib.h>

enum { KEY_NAME = OPTION_OWN, KEY_AUTHOR, KEY_BECAUSE, KEY_ACCEPT, KEY_STAGE, KEY_CASE, KEY_IN_CI };

struct command_line {
    struct render_options options;
    const char *name, *author, *because, *accept;
    struct acceptance acceptance;
};

static enum status take(void *user, int key, char *argument)
{
    struct command_line *line = user;
    switch (key) {
    case KEY_NAME:
        line->name = argument;
        return STATUS_OK;
    case KEY_AUTHOR:
        line->author = argument;
        return STATUS_OK;
    case KEY_BECAUSE:
        line->because = argument;
        return STATUS_OK;
    case KEY_ACCEPT:
        line->accept = argument;
        return STATUS_OK;
    case KEY_STAGE:
        line->acceptance.stages = argument;
        return STATUS_OK;
    case KEY_CASE:
        line->acceptance.only = argument;
        return STATUS_OK;
    case KEY_IN_CI:
        line->acceptance.in_ci = true;
        return STATUS_OK;
    }
    return STATUS_OK;
}

/* ---- recording ---- */

static enum status check_line(const struct command_line *line)
{
    if (line->options.scene_count == 0)
        return status_fail(STATUS_USAGE, "no scene given; for example gravreel baseline plummer -o "
                                         "baselines");
    if (!line->options.output)
        return status_fail(STATUS_USAGE,
                           "no folder given; name the one of the baselines with -o, for example "
                           "-o baselines");
    if (line->name && line->options.scene_count > 1)
        return status_fail(STATUS_USAGE,
                           "--name names one baseline, and %d scenes are given; "
                           "record them one by one",
                           line->options.scene_count);
    return STATUS_OK;
}

static void tell(const struct baseline *made)
{
    log_info("%s: %llu frames of %llu bodies; the same bits twice; %u states, %u pictures, %.0f kB",
             made->path, (unsigned long long)made->record.count,
             (unsigned long long)made->record.bodies, made->state_count, made->picture_count,
             (double)objects_bytes(made->folder) / 1000);
}

static enum status record_one(const struct command_line *line, const char *scene,
                              volatile sig_atomic_t *stop)
{
    struct render_options options = line->options;
    struct baseline made = {0};
    options.request.scene = scene;
    options.request.films = true;
    const struct recording recording = {.request = &options.request,
                                        .backend = options.backend,
                                        .format = options.format,
                                        .device = options.device,
                                        .has_range = options.has_range,
                                        .overwrite = options.overwrite,
                                        .folder = options.output,
                                        .name = line->name,
                                        .author = line->author,
                                        .because = line->because,
                                        .in_ci = line->acceptance.in_ci,
                                        .commit = version_commit,
                                        .stop = stop};
    enum status status = recording_make(&recording, &made);
    if (status == STATUS_OK)
        tell(&made);
    else if (status != STATUS_STOPPED && line->options.scene_count > 1)
        status_prefix(status, "%s", scene);
    baseline_free(&made);
    return status;
}

static bool is_scene_of_film(const char *scene)
{
    char *film = own_scene_film(scene);
    free(film);
    return film != NULL;
}

static bool has_only_scenes_of_films(const struct command_line *line)
{
    for (int i = 0; i < line->options.scene_count; i++)
        if (!is_scene_of_film(line->options.scenes[i]))
            return false;
    return true;
}

/* Leaves out the scene files that lie next to films, which *.yaml matches as well. */
static bool is_left_out(const char *scene)
{
    char *film = own_scene_film(scene);
    if (film)
        log_warning("'%s' is left out: it was written beside '%s' and is that film's scene; name "
                    "it alone to record it",
                    scene, film);
    free(film);
    return film != NULL;
}

static enum status record_all(const struct command_line *line)
{
    volatile sig_atomic_t *stop = interrupt_catch();
    enum status status = check_line(line);
    for (int i = 0; i < line->options.scene_count && status == STATUS_OK; i++) {
        bool left_out = false;
        if (ranks_begin_first())
            left_out = !has_only_scenes_of_films(line) && is_left_out(line->options.scenes[i]);
        status = ranks_end_first(STATUS_OK);
        if (status == STATUS_OK)
            status = ranks_first(&left_out, sizeof left_out);
        if (status == STATUS_OK && !left_out)
            status = record_one(line, line->options.scenes[i], stop);
    }
    return status;
}

/* ---- accepting ---- */

static enum status accept(const struct command_line *line)
{
    struct acceptance acceptance = line->acceptance;
    struct report report = {0};
    if (line->options.scene_count > 0)
        return status_fail(STATUS_USAGE,
                           "--accept takes a report and no scene, found '%s'; leave the scene out",
                           line->options.request.scene);
    if (!acceptance.stages)
        return status_fail(STATUS_USAGE, "name the stages that are to be accepted, for example "
                                         "--stage picture");
    if (!line->because)
        return status_fail(
            STATUS_USAGE,
            "no reason is given; add --because TEXT, which the baseline's history keeps");
    acceptance.because = line->because;
    acceptance.author = line->author;
    enum status status = report_read_json(&report, line->accept);
    char *folder = file_folder(line->accept);
    if (status == STATUS_OK)
        status = accept_report(&acceptance, &report, folder);
    report_free(&report);
    free(folder);
    return status;
}

/* ---- the command ---- */

static int run_baseline(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"output", OPTION_OUTPUT, "FOLDER", 0, "Where baselines go: FOLDER/NAME.json", HELP_FILES},
        {"name", KEY_NAME, "NAME", 0, "Name of the baseline, in place of the scene's", HELP_FILES},
        {"format", OPTION_FORMAT, "FORMAT", 0, "Record a film of this format, in place of mp4",
         HELP_FILES},
        {"accept", KEY_ACCEPT, "REPORT.json", 0,
         "Record nothing; accept the results in this report of `gravreel check --output`",
         HELP_ACCEPT},
        {"stage", KEY_STAGE, "STAGES", 0,
         "Accept a result if these are the stages that differ: scene, start, physics, light, "
         "picture, packets, container",
         HELP_ACCEPT},
        {"case", KEY_CASE, "NAME", 0, "Accept only this case of the report", HELP_ACCEPT},
        {"in-ci", KEY_IN_CI, NULL, 0, "Accept, and replace with -y, also where CI is set",
         HELP_ACCEPT},
        {"author", KEY_AUTHOR, "NAME", 0, "Who records or accepts; default: you", HELP_ACCEPT},
        {"because", KEY_BECAUSE, "TEXT", 0, "Why", HELP_ACCEPT},
        {0},
    };
    struct command_line line = {0};
    const struct scene_command command = {
        .name = "baseline",
        .args_doc = "SCENE...\n--accept REPORT.json --stage STAGES --because TEXT",
        .doc = "Records films at every stage, for `gravreel check` to compare with.\v"
               "Examples:\n"
               "  gravreel baseline plummer -n 256 --size 128x72 --frames 12 -o baselines\n"
               "  gravreel baseline --accept report/report.json --stage picture --because warmer",
        .taker = TAKER_BASELINE,
        .many = true,
        .options = table,
        .take = take,
        .user = &line,
    };
    enum status status = scene_command_parse(&command, &line.options, argc, argv);
    if (status == STATUS_OK && !line.options.answered && !line.accept) {
        status = record_all(&line);
    } else if (status == STATUS_OK && !line.options.answered) {
        if (ranks_begin_first())
            status = accept(&line);
        status = ranks_end_first(status);
    }
    render_options_free(&line.options);
    return interrupt_exit_code(status, NULL);
}

const struct command command_baseline = {
    .name = "baseline",
    .doc = "record a film, to check against",
    .run = run_baseline,
    .on_ranks = true,
};
