/* gravreel compare: compares two films or sequences of pictures from any source, or two
 * manifests. */
#include "base/log.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/page.h"
#include "cmd/cli/interrupt.h"
#include "cmd/command.h"
#include "cmd/regression/baseline/scratch.h"
#include "cmd/regression/compare/compare.h"
#include "cmd/regression/judge/rules.h"
#include "cmd/report_options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>

enum {
    KEY_FAIL_ON = 256,
    KEY_DIFF,
    KEY_GAIN,
    KEY_FRAMES,
    KEY_QUALITY,
    KEY_LOSSY,
    KEY_QUIET,
};

/* The results that lead to exit code 3, mildest first. */
static const struct fail_on {
    const char *name, *doc;
    enum verdict from;
} fail_on[] = {
    {"changed", "something is beyond a limit, or could not be compared", VERDICT_NOT_JUDGED},
    {"warned", "something is beyond a limit that warns", VERDICT_WARNED},
    {"different", "the films are not the same to every bit", VERDICT_WITHIN},
};
static const struct registry fail_on_registry = REGISTRY_OF("word for --fail-on", fail_on);

struct options {
    struct compare_params params;
    struct report_options views;
    const struct fail_on *fail_on;
    bool quiet, manifests;
    char **paths;
    int count;
    struct failure refused; /* an invalid option value; the reports named on the line say so */
};

static enum status parse_gain(const char *text, double *gain)
{
    char *end;
    errno = 0;
    *gain = strtod(text, &end);
    if (end == text || *end || errno != 0 || !(*gain >= 1 && *gain <= 255))
        return status_fail(STATUS_USAGE, "--gain needs a number from 1 to 255, found '%s'", text);
    return STATUS_OK;
}

static enum status take(struct options *options, int key, char *argument)
{
    const struct choice *found;
    enum status status;
    switch (key) {
    case KEY_FAIL_ON:
        status = choice_require(&fail_on_registry, argument, &found);
        options->fail_on = (const struct fail_on *)(const void *)found;
        return status;
    case KEY_FRAMES:
        return text_parse_range("--frames", argument, &options->params.frames);
    case KEY_GAIN:
        return parse_gain(argument, &options->params.gain);
    default:
        return report_options_take(&options->views, key, argument);
    }
}

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (report_options_know(key) || key == KEY_FAIL_ON || key == KEY_FRAMES || key == KEY_GAIN) {
        failure_keep(&options->refused, take(options, key, argument));
        return 0;
    }
    switch (key) {
    case KEY_DIFF:
        options->params.difference = argument;
        return 0;
    case KEY_QUALITY:
        options->params.quality = true;
        return 0;
    case KEY_LOSSY:
        options->params.lossy = options->params.quality = true;
        limits_take_lossy(options->views.limits);
        return 0;
    case KEY_QUIET:
        options->quiet = true;
        log_set_level(LOG_ERROR);
        return 0;
    case ARGP_KEY_ARGS:
        options->paths = state->argv + state->next;
        options->count = state->argc - state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* An option given that concerns decoding, which is meaningless for input without pictures. */
static const char *option_for_films(const struct options *options)
{
    const struct text_range *frames = &options->params.frames;
    return options->params.difference                                   ? "--diff"
           : options->params.lossy                                      ? "--lossy"
           : options->params.quality                                    ? "--quality"
           : frames->has_first || frames->has_last || frames->has_count ? "--frames"
                                                                        : NULL;
}

static enum status choose_kind(struct options *options)
{
    if (options->count != 2)
        return status_fail(
            STATUS_USAGE,
            "expected two films or two manifests, found %d; for example gravreel compare "
            "before.mp4 after.mp4",
            options->count);
    const bool is[2] = {manifest_possible(options->paths[0]), manifest_possible(options->paths[1])};
    const char *manifest = options->paths[!is[0]], *film = options->paths[is[0]],
               *option = option_for_films(options);
    options->params.a = options->paths[0];
    options->params.b = options->paths[1];
    options->manifests = is[0] && is[1];
    if (is[0] != is[1])
        return status_fail(STATUS_USAGE,
                           "'%s' is a manifest, but '%s' is not; compare two films or two "
                           "manifests, or a film with its own: gravreel verify FILM --manifest %s",
                           manifest, film, manifest);
    if (options->manifests && option)
        return status_fail(STATUS_USAGE,
                           "%s is for films, and '%s' is a manifest, which holds no pictures",
                           option, manifest);
    return STATUS_OK;
}

static enum status check(struct options *options)
{
    for (int i = 0; i < options->count; i++)
        report_options_protect(&options->views, "one of the films that are compared",
                               options->paths[i]);
    return report_options_prepare(&options->views, options->params.difference);
}

/* The message is in the report; it is printed here only if the report was not printed. */
static enum status outcome(const struct options *options, const struct report *report)
{
    const bool fails =
        report_status(report) != STATUS_OK || report->verdict >= options->fail_on->from;
    if (!fails)
        return STATUS_OK;
    const char *sentence = report->case_count > 0 ? report->cases[0].sentence : NULL;
    if (options->quiet && sentence)
        return status_fail(STATUS_MISMATCH, "%s", sentence);
    return status_fail(STATUS_MISMATCH, "%s",
                       report->verdict == VERDICT_NOT_JUDGED
                           ? "the films are not compared, or not as a whole"
                           : "the films are not the same");
}

static enum status compare(struct options *options)
{
    struct report report = {.command = memory_text("compare"),
                            .program = memory_text("gravreel " GRAVREEL_VERSION)};
    options->params.limits = options->views.limits;
    options->params.stop = interrupt_catch();
    struct temporary scratch = {0};
    failure_keep(&options->refused, choose_kind(options));
    enum status status = failure_report(&options->refused);
    if (status == STATUS_OK && options->views.html)
        status = temporary_open(&scratch);
    options->params.pictures = options->views.html ? scratch.folder : NULL;
    report.fleeting = true;
    if (status == STATUS_OK && options->manifests)
        status =
            compare_manifests(options->paths[0], options->paths[1], options->views.limits, &report);
    else if (status == STATUS_OK)
        status = compare_films(&options->params, &report);
    if (status == STATUS_OK) {
        report_conclude(&report);
        status = report_options_write(&options->views, &report, options->quiet);
        if (status == STATUS_OK || status == STATUS_MISMATCH)
            status = outcome(options, &report);
    } else {
        char *name = options->count == 2
                         ? text_format("%s against %s", options->paths[1], options->paths[0])
                         : memory_text("compare");
        status = report_options_give_up(&options->views, &report, name, status);
        free(name);
    }
    report_free(&report);
    temporary_close(&scratch);
    return status;
}

/* Writes errors of the command line into the reports that it names, if they may be written. */
static enum status run(struct options *options)
{
    const enum status status = check(options);
    if (status == STATUS_OK)
        return compare(options);
    return options->refused.status == STATUS_OK ? status : failure_report(&options->refused);
}

static int run_compare(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"frames", KEY_FRAMES, "A..B|N", 0,
         "Compare frames A to B alone, both included; A.., ..B; or the first N", HELP_FILES},
        {"fail-on", KEY_FAIL_ON, "changed|warned|different", 0,
         "Least difference that gives exit code 3: changed (default), warned or different",
         HELP_FILES},
        {"diff", KEY_DIFF, "OUT.mp4", 0, "Write a film of A, B and their difference side by side",
         HELP_FILES},
        {"gain", KEY_GAIN, "N", 0, "Amplification of the difference (default: 8)", HELP_FILES},
        {"lossy", KEY_LOSSY, NULL, 0,
         "B is a lossy copy of A: judge light, colours, detail, place, PSNR, SSIM, sequence and "
         "duration alone",
         HELP_FILES},
        {"quality", KEY_QUALITY, NULL, 0,
         "Also show PSNR and SSIM of luma, as FFmpeg's filters define them", HELP_FILES},
        {"quiet", KEY_QUIET, NULL, 0, "Print errors only", HELP_MESSAGES},
        REPORT_OPTIONS,
        {0},
    };
    static const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .args_doc = "A B",
        .doc =
            "Compares two films, or sequences of pictures (frames/%06d.png, .exr or .jxl): "
            "first metadata and what players show and play besides the pictures (rotation, crop, "
            "sound by its packets, subtitles, chapters, title), dropped, repeated and swapped "
            "frames, then the pixels, for stars on black. The verdict names what was not "
            "compared. Or two manifests (render --manifest): the scene's keys, then which of "
            "start, physics, light, picture, packets and container differs first, and from "
            "which frame on. Exit code 0: within the limits; 3: not.\v"
            "--lossy judges a copy that was encoded again on purpose, over the lit pixels alone: "
            "brightness within 2.5 %, hues within 6.5 degrees beyond what the copy's coarseness "
            "leaves in doubt, a quarter of the "
            "saturation, a third of the detail, half a pixel of shift; PSNR of luma of 31 dB over "
            "the film; every frame in its place and at its time; the same colour tags where both "
            "films "
            "have them, the same rotation and as much sound, which may be encoded again. It does "
            "not "
            "see a single star, hues turned by less than 10 degrees, a "
            "fifth of the saturation missing, one channel weaker by 5 %, or frames out of order "
            "whose motion is less than what encoding loses; the verdict says where a coarse copy, "
            "or pale colours, hide hues turned by more. `gravreel compare --lossy --limit help` "
            "lists the "
            "limits and `--limit picture.psnr=60` sets one: that is 100 - 60 = 40 dB.\n"
            "Examples:\n"
            "  gravreel compare a.mp4 b.mp4\n"
            "  gravreel compare a.json b.json\n"
            "  gravreel compare master.mkv youtube.mp4 --lossy\n"
            "  gravreel compare a.mp4 b.mp4 --diff difference.mp4 --json report.json",
    };
    struct options options = {.params.gain = 8, .fail_on = &fail_on[0]};
    report_options_open(&options.views);
    enum status status = arguments_parse(&argp, "compare", argc, argv, &options);
    if (status == STATUS_OK && options.views.answered)
        status = failure_report(&options.refused);
    else if (status == STATUS_OK)
        status = run(&options);
    report_options_close(&options.views);
    return interrupt_exit_code(status, "no report was written");
}

const struct command command_compare = {
    .name = "compare",
    .doc = "compare two films, or their manifests",
    .run = run_compare,
};
