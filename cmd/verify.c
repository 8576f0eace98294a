#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/interrupt.h"
#include "cmd/command.h"
#include "cmd/regression/record/record.h"
#include "cmd/regression/verify/verify.h"
#include "cmd/report_options.h"
#include "sim/solver/solver.h"

#include <argp.h>

enum { KEY_REDRAW = 256, KEY_MANIFEST, REDRAW_MAX = 1000000 };

struct verify {
    struct report_options views;
    struct verify_params params;
    const char *manifest;      /* its path; NULL: none */
    struct failure unreadable; /* the first film that cannot be read */
};

static enum status take(void *user, int key, char *argument)
{
    struct verify *verify = user;
    uint64_t number = 0;
    if (key == KEY_REDRAW) {
        const enum status status = number_parse("--redraw", argument, 0, REDRAW_MAX, &number);
        verify->params.redraw = (unsigned)number;
        return status;
    }
    verify->manifest = argument;
    report_options_protect(&verify->views, "the manifest of the film", argument);
    return STATUS_OK;
}

/* Judges all films, even if some cannot be read. */
static enum status judge(void *user, struct report *report)
{
    struct verify *verify = user;
    struct verify_params *params = &verify->params;
    const struct report_options *views = &verify->views;
    struct record manifest = {0};
    if (views->count == 0)
        return status_fail(STATUS_USAGE, "no film given; for example `gravreel verify film.mp4`");
    if (verify->manifest && views->count > 1)
        return status_fail(STATUS_USAGE,
                           "--manifest belongs to a single film; verify the films one by one");
    enum status status = verify->manifest ? record_read(&manifest, verify->manifest) : STATUS_OK;
    params->manifest = verify->manifest ? &manifest : NULL;
    params->backend = views->backend;
    params->device = views->device;
    params->limits = views->limits;
    params->stop = interrupt_catch();
    for (size_t i = 0; i < views->count && status == STATUS_OK; i++) {
        params->path = views->paths[i];
        const enum status found = verify_film(params, report);
        if (found == STATUS_STOPPED)
            status = found;
        else
            failure_keep(&verify->unreadable, found);
    }
    record_free(&manifest);
    return status;
}

/* The result: a film that was read but is faulty takes precedence over one that could not be
 * read. */
static enum status conclude(void *user, const struct report *report, enum status status)
{
    const struct verify *verify = user;
    bool unsound = false;
    if (status != STATUS_MISMATCH)
        return status;
    for (uint32_t i = 0; i < report->case_count; i++)
        unsound =
            unsound || (report->cases[i].frames > 0 && !verdict_passes(report->cases[i].verdict));
    if (!unsound && verify->unreadable.status != STATUS_OK)
        return failure_report(&verify->unreadable);
    if (report->verdict == VERDICT_NOT_JUDGED)
        return status_fail(STATUS_MISMATCH, "%s not judged, or not as a whole",
                           verify->views.count == 1 ? "the film is" : "some films are");
    return status_fail(STATUS_MISMATCH, "%s",
                       verify->views.count == 1 ? "the film is not sound"
                                                : "not all films are sound");
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
        {"backend", REPORT_OPTION_BACKEND, solver_choices, 0,
         "Simulation backend for --redraw; default: auto", HELP_RUN},
        {"device", REPORT_OPTION_DEVICE, "N", 0, "CUDA device; for --redraw", HELP_RUN},
        REPORT_OPTIONS,
        {0},
    };
    static const struct argp argp = {
        .options = table,
        .parser = report_options_parse,
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
    struct verify verify = {0};
    static const struct report_command command = {.name = "verify",
                                                  .what = "one of the films that are judged",
                                                  .left = "nothing was written",
                                                  .argp = &argp,
                                                  .judge = judge,
                                                  .conclude = conclude};
    report_options_open(&verify.views);
    verify.views.take = take;
    verify.views.user = &verify;
    return report_command_run(&command, &verify.views, argc, argv);
}

const struct command command_verify = {
    .name = "verify",
    .doc = "judge films without a baseline: damage, times, colours, their own scene",
    .run = run_verify,
};
