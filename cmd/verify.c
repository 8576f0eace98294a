#include "base/log.h"
#include "base/memory.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/page.h"
#include "cmd/cli/interrupt.h"
#include "cmd/command.h"
#include "cmd/regression/record/record.h"
#include "cmd/regression/verify/verify.h"
#include "cmd/report_options.h"
#include "sim/solver/solver.h"

#include <argp.h>
#include <limits.h>

enum { KEY_REDRAW = 256, KEY_MANIFEST, KEY_BACKEND, KEY_DEVICE, KEY_QUIET, REDRAW_MAX = 1000000 };

struct verify {
    struct verify_params params;
    struct report_options views;
    const char *manifest; /* its path; NULL: none */
    bool quiet;
    struct failure refused; /* an invalid option value; the reports named on the line say so */
    char **paths;
    size_t count;
};

static enum status take(struct verify *verify, int key, char *argument)
{
    uint64_t number = 0;
    enum status status = STATUS_OK;
    switch (key) {
    case KEY_REDRAW:
        status = number_parse("--redraw", argument, 0, REDRAW_MAX, &number);
        verify->params.redraw = (unsigned)number;
        return status;
    case KEY_MANIFEST:
        verify->manifest = argument;
        report_options_protect(&verify->views, "the manifest of the film", argument);
        return STATUS_OK;
    case KEY_BACKEND:
        verify->params.backend = argument;
        return choices_check_backend(argument);
    case KEY_DEVICE:
        status = number_parse("--device", argument, 0, INT_MAX, &number);
        verify->params.device = (int)number;
        return status;
    case KEY_QUIET:
        verify->quiet = true;
        log_set_level(LOG_ERROR);
        return STATUS_OK;
    default:
        return report_options_take(&verify->views, key, argument);
    }
}

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    struct verify *verify = state->input;
    if (key == ARGP_KEY_ARGS) {
        verify->paths = state->argv + state->next;
        verify->count = (size_t)(state->argc - state->next);
        return 0;
    }
    const bool known = (key >= KEY_REDRAW && key <= KEY_QUIET) || report_options_know(key);
    if (!known)
        return ARGP_ERR_UNKNOWN;
    failure_keep(&verify->refused, take(verify, key, argument));
    return 0;
}

/* Judges all films, even if some cannot be read. */
static enum status judge_all(struct verify *verify, struct report *report,
                             struct failure *unreadable)
{
    for (size_t i = 0; i < verify->count; i++) {
        verify->params.path = verify->paths[i];
        const enum status status = verify_film(&verify->params, report);
        if (status == STATUS_STOPPED)
            return status;
        failure_keep(unreadable, status);
    }
    report_conclude(report);
    return STATUS_OK;
}

/* The result: a film that was read but is faulty takes precedence over one that could not be
 * read. */
static enum status conclude(const struct verify *verify, const struct report *report,
                            const struct failure *unreadable, enum status status)
{
    bool unsound = false;
    if (status != STATUS_MISMATCH)
        return status;
    for (uint32_t i = 0; i < report->case_count; i++)
        unsound =
            unsound || (report->cases[i].frames > 0 && !verdict_passes(report->cases[i].verdict));
    if (!unsound && unreadable->status != STATUS_OK)
        return failure_report(unreadable);
    if (report->verdict == VERDICT_NOT_JUDGED)
        return status_fail(STATUS_MISMATCH, "%s not judged, or not as a whole",
                           verify->count == 1 ? "the film is" : "some films are");
    return status_fail(STATUS_MISMATCH, "%s",
                       verify->count == 1 ? "the film is not sound" : "not all films are sound");
}

static enum status check(const struct verify *verify)
{
    if (verify->refused.status != STATUS_OK)
        return failure_report(&verify->refused);
    if (verify->count == 0)
        return status_fail(STATUS_USAGE, "no film given; for example `gravreel verify film.mp4`");
    if (verify->manifest && verify->count > 1)
        return status_fail(STATUS_USAGE,
                           "--manifest belongs to a single film; verify the films one by one");
    return STATUS_OK;
}

static enum status run(struct verify *verify)
{
    struct failure unreadable = {0};
    for (size_t i = 0; i < verify->count; i++)
        report_options_protect(&verify->views, "one of the films that are judged",
                               verify->paths[i]);
    const enum status allowed = report_options_prepare(&verify->views, NULL);
    if (allowed != STATUS_OK)
        return verify->refused.status == STATUS_OK ? allowed : failure_report(&verify->refused);
    struct record manifest = {0};
    struct report report = {.command = memory_text("verify"),
                            .program = memory_text("gravreel " GRAVREEL_VERSION)};
    enum status status = check(verify);
    if (status == STATUS_OK && verify->manifest)
        status = record_read(&manifest, verify->manifest);
    verify->params.manifest = verify->manifest ? &manifest : NULL;
    verify->params.limits = verify->views.limits;
    verify->params.stop = interrupt_catch();
    if (status == STATUS_OK)
        status = judge_all(verify, &report, &unreadable);
    if (status == STATUS_OK) {
        status = report_options_write(&verify->views, &report, verify->quiet);
        status = conclude(verify, &report, &unreadable, status);
    } else {
        status = report_options_give_up(&verify->views, &report,
                                        verify->count == 1 ? verify->paths[0] : "verify", status);
    }
    report_free(&report);
    record_free(&manifest);
    return status;
}

static int run_verify(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"redraw", KEY_REDRAW, "N", 0,
         "Draw N frames again from the scene inside the film and compare them, and the order of "
         "the frames before them",
         HELP_FILES},
        {"manifest", KEY_MANIFEST, "FILE", 0,
         "The film's manifest, of render --manifest: every bit of packets and container must match",
         HELP_FILES},
        {"backend", KEY_BACKEND, solver_choices, 0,
         "Simulation backend for --redraw; default: auto", HELP_RUN},
        {"device", KEY_DEVICE, "N", 0, "CUDA device; for --redraw", HELP_RUN},
        {"quiet", KEY_QUIET, NULL, 0, "Print errors only", HELP_MESSAGES},
        REPORT_OPTIONS,
        {0},
    };
    static const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .args_doc = "FILM...",
        .doc =
            "Checks films without a reference: each packet must decode without a warning, count, "
            "times and colours must match the tags, no frame may be black, frozen or broken, and "
            "the scene inside the film must be its own. Films by others, and sequences of PNG, EXR "
            "or JPEG XL pictures given by their pattern, are judged as far as they go.\v"
            "Damage that decodes without a warning only changes the picture: without --manifest or "
            "--redraw, verify finds only pictures that are black, frozen or, where the motion is "
            "smooth enough to tell, swapped with the next, and in the container only "
            "contradictions to the stream and to the scene: colours, sizes, index, rotation, "
            "crop, streams, title. Sound is not decoded. The verdict says so where the order is "
            "not judged.\n"
            "--manifest proves every bit. --redraw compares N frames with their pictures drawn and "
            "encoded again, by limits where the codec is lossy; of a film of one segment that is "
            "compared as a whole, on the same machine, it proves every packet. It draws the frames "
            "before each of them too, in all as many as have 2^31 pixels (1,000 of 1920x1080), and "
            "judges order, light and colour of them all. The verdict says what is proven. By "
            "limits it does not see a single star, brightness within 2.5 %, hues turned by less "
            "than 10 degrees (or more, where the verdict says so), a fifth of the saturation "
            "missing, or frames out of order whose motion is less than what encoding loses.\n"
            "--redraw does not trust the film: its scene must match its hash, ask for at most "
            "4194304 bodies, and read a bodies file only from the film's folder or one of "
            "$GRAVREEL_DATA.\n"
            "Exit codes: 0 all are sound, 2 wrong usage or no film, 3 one is not sound, 5 a file "
            "cannot be read. A file that cannot be read, or is not a film, is a case that is not "
            "judged; the others are. The code is then 3 if one of the others is not sound, else "
            "that of the first such file.\n"
            "Examples:\n"
            "  gravreel verify film.mp4\n"
            "  gravreel verify film.mp4 --manifest film.json\n"
            "  gravreel verify film.mp4 --redraw 3",
    };
    struct verify verify = {.params = {.backend = "auto"}};
    report_options_open(&verify.views);
    enum status status = arguments_parse(&argp, "verify", argc, argv, &verify);
    if (status == STATUS_OK)
        status = verify.views.answered ? failure_report(&verify.refused) : run(&verify);
    report_options_close(&verify.views);
    return interrupt_exit_code(status, "nothing was written");
}

const struct command command_verify = {
    .name = "verify",
    .doc = "judge films without a baseline: damage, times, colours, their own scene",
    .run = run_verify,
};
