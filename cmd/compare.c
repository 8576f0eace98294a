/* gravreel compare: compares two films or sequences of pictures from any source, or two
 * manifests. */
#include "base/part.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/interrupt.h"
#include "cmd/command.h"
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
    struct report_options views;
    struct compare_params params;
    const struct fail_on *fail_on;
    bool manifests;
    struct temporary scratch; /* for the pictures of the page */
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

static enum status take(void *user, int key, char *argument)
{
    struct options *options = user;
    const struct choice *found;
    enum status status = STATUS_OK;
    switch (key) {
    case KEY_FAIL_ON:
        status = choice_require(&fail_on_registry, argument, &found);
        options->fail_on = (const struct fail_on *)(const void *)found;
        return status;
    case KEY_FRAMES:
        return text_parse_range("--frames", argument, &options->params.frames);
    case KEY_GAIN:
        return parse_gain(argument, &options->params.gain);
    case KEY_DIFF:
        options->params.difference = argument;
        return STATUS_OK;
    case KEY_LOSSY:
        options->params.lossy = true;
        limits_take_lossy(options->views.limits);
    }
    options->params.quality = true;
    return STATUS_OK;
}

/* Returns an option that concerns decoding, and is therefore meaningless for manifests; NULL: none
 * is given. */
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
    char **paths = options->views.paths;
    if (options->views.count != 2)
        return status_fail(
            STATUS_USAGE,
            "expected two films or two manifests, found %zu; for example gravreel compare "
            "before.mp4 after.mp4",
            options->views.count);
    const bool is[2] = {manifest_possible(paths[0]), manifest_possible(paths[1])};
    const char *manifest = paths[!is[0]], *film = paths[is[0]], *option = option_for_films(options);
    options->params.a = paths[0];
    options->params.b = paths[1];
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

/* The message is in the report; it is printed here only if the report was not printed. */
static enum status conclude(void *user, const struct report *report, enum status status)
{
    const struct options *options = user;
    if (status != STATUS_OK && status != STATUS_MISMATCH)
        return status;
    const bool fails =
        report_status(report) != STATUS_OK || report->verdict >= options->fail_on->from;
    if (!fails)
        return STATUS_OK;
    const char *sentence = report->case_count > 0 ? report->cases[0].sentence : NULL;
    if (options->views.quiet && sentence)
        return status_fail(STATUS_MISMATCH, "%s", sentence);
    return status_fail(STATUS_MISMATCH, "%s",
                       report->verdict == VERDICT_NOT_JUDGED
                           ? "the films are not compared, or not as a whole"
                           : "the films are not the same");
}

static enum status judge(void *user, struct report *report)
{
    struct options *options = user;
    const struct report_options *views = &options->views;
    options->params.limits = views->limits;
    options->params.stop = interrupt_catch();
    enum status status = choose_kind(options);
    if (status == STATUS_OK && views->html)
        status = temporary_open(&options->scratch);
    options->params.pictures = views->html ? options->scratch.folder : NULL;
    report->fleeting = true;
    if (status == STATUS_OK && options->manifests)
        status = compare_manifests(views->paths[0], views->paths[1], views->limits, report);
    else if (status == STATUS_OK)
        status = compare_films(&options->params, report);
    if (status != STATUS_OK && report->case_count == 0 && views->count == 2) {
        char *name = text_format("%s against %s", views->paths[1], views->paths[0]);
        report_add_case(report, name);
        free(name);
    }
    return status;
}

static int run_compare(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"frames", KEY_FRAMES, "A..B|N", 0,
         "Compare only frames A to B, both included; A.., ..B; or the first N", HELP_FILES},
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
        REPORT_OPTIONS,
        {0},
    };
    static const struct argp argp = {
        .options = table,
        .parser = report_options_parse,
        .args_doc = "A B",
        .doc =
            "Compares two films, or sequences of pictures (frames/%06d.png, .jpg, .tif, .exr or "
            ".jxl): "
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
    const struct report_command command = {.name = "compare",
                                           .what = "one of the films that are compared",
                                           .left = "no report was written",
                                           .argp = &argp,
                                           .judge = judge,
                                           .conclude = conclude,
                                           .more = &options.params.difference};
    report_options_open(&options.views);
    options.views.take = take;
    options.views.user = &options;
    const int code = report_command_run(&command, &options.views, argc, argv);
    temporary_close(&options.scratch);
    return code;
}

const struct command command_compare = {
    .name = "compare",
    .doc = "compare two films, or their manifests",
    .run = run_compare,
};
