#include "base/json/facts.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/command.h"
#include "render/gl/context.h"
#include "render/video/codecs.h"
#include "sim/solver/solver.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { KEY_JSON = 256 };

struct findings {
    bool drawing, hardware; /* a context could be opened; one is on a GPU */
    bool matched;           /* one shares memory with a CUDA device */
    struct facts *json;     /* NULL: prints text */
};

/* Prints whether something is available. */
static void tell(struct facts *json, const char *list, int width, const char *name, bool usable,
                 const char *text, const char *more)
{
    if (!json) {
        printf("  [%s] %-*s %s%s\n", usable ? "ok" : "--", width, name, text, more);
        return;
    }
    struct facts *item = facts_item(json, list);
    facts_text(item, "name", name);
    facts_flag(item, "usable", usable);
    facts_text(item, usable ? "description" : "reason", text);
}

static void heading(struct facts *json, const char *text)
{
    if (!json)
        puts(text);
}

static void print_context(void *user, const char *platform, const struct gl_context *context,
                          const char *reason)
{
    struct findings *findings = user;
    tell(findings->json, "drawing", 32, platform, context, context ? context->renderer : reason,
         context && context->software ? " (drawn by the CPU)" : "");
    if (!context)
        return;
    if (!findings->json)
        printf("       %-32s OpenGL %s, point sprites up to %.0f pixels, pictures up to %d%s\n", "",
               context->version, (double)context->point_size_max, context->texture_size_max,
               context->compute_passes && context->integers64 ? ", adaptive sprites computed" : "");
    findings->drawing = true;
    findings->hardware |= !context->software;
    findings->matched |= context->cuda_device >= 0;
}

static bool survey_solvers(struct facts *json)
{
    bool cuda = false;
    heading(json, "Simulation");
    const struct solver_ops *ops;
    for (size_t i = 0; (ops = choice_at(&solver_registry, i)); i++) {
        enum { DEVICES_MAX = 64 };
        for (int device = 0; device < (ops->numbered ? DEVICES_MAX : 1); device++) {
            char description[256];
            enum status status = ops->probe(device);
            /* After the last device there is nothing to report, unless there is no device at
             * all. */
            if (status != STATUS_OK && device > 0)
                break;
            const bool usable = status == STATUS_OK &&
                                ops->describe(device, description, sizeof description) == STATUS_OK;
            tell(json, "simulation", 5, ops->name, usable, usable ? description : status_text(),
                 "");
            cuda |= ops->views == VIEW_CUDA && status == STATUS_OK;
        }
    }
    return cuda;
}

static void survey_ranks(struct facts *json)
{
    const char *library = ranks_library();
    heading(json, "Processes");
    tell(json, "processes", 0, "MPI", *library,
         *library ? library : "built without it, so that each simulation is of one process", "");
    for (int i = 0; i < ranks_count() && ranks_count() > 1; i++) {
        int number = 0, there = 0;
        char name[32], text[256];
        for (int k = 0; k < ranks_count(); k++) {
            const bool same = strcmp(ranks_host(k), ranks_host(i)) == 0;
            number += same && k <= i;
            there += same;
        }
        snprintf(name, sizeof name, "rank %d", i);
        snprintf(text, sizeof text, "%s, %d of %d there, %d thread%s", ranks_host(i), number, there,
                 ranks_threads(i), ranks_threads(i) == 1 ? "" : "s");
        tell(json, "processes", 9, name, true, text, "");
    }
}

static int survey_codecs(struct facts *json)
{
    int usable = 0;
    heading(json, "Encoders");
    const struct codec *codec;
    for (size_t i = 0; (codec = choice_at(&codec_registry, i)); i++) {
        bool opens = video_probe(codec) == STATUS_OK;
        tell(json, "encoders", 14, codec->name, opens, opens ? codec->doc : status_text(), "");
        usable += opens;
    }
    return usable;
}

static enum status advise(bool cuda, const struct findings *findings, int encoders)
{
    heading(findings->json, "");
    if (!findings->drawing)
        return status_fail(STATUS_DEVICE, "nothing on this machine can draw; %s",
                           limits_advice("install libegl1 and libgl1-mesa-dri, or in a container "
                                         "enable the driver's `graphics` capability and its EGL "
                                         "vendor file, 10_nvidia.json"));
    if (encoders == 0)
        return status_fail(STATUS_DEVICE,
                           "no encoder opens, so only PNG sequences can be written; %s",
                           limits_advice("install a libavcodec with libx264 (Debian: libavcodec59 "
                                         "or later)"));
    if (findings->json)
        return STATUS_OK;
    if (cuda && !findings->matched)
        printf("A CUDA device works, but no EGL device belongs to it, so it cannot draw. Install "
               "the driver's EGL library, or in a container enable the `graphics` capability "
               "(NVIDIA_DRIVER_CAPABILITIES=compute,graphics,utility).\n");
    else if (!cuda && !findings->hardware)
        printf("No GPU is used: the CPU simulates and draws, which works but is slower.\n");
    else
        printf("Nothing is missing.\n");
    return STATUS_OK;
}

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key != KEY_JSON)
        return ARGP_ERR_UNKNOWN;
    *(bool *)state->input = true;
    return 0;
}

static int run_doctor(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"json", KEY_JSON, NULL, 0, "Print it as JSON", HELP_OTHER},
        {0},
    };
    static const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .doc =
            "Says what this machine offers for simulating, drawing and encoding, what is missing "
            "and what to do about it.",
    };
    bool json = false;
    enum status status = arguments_parse(&argp, "doctor", argc, argv, &json);
    if (status != STATUS_OK)
        return (int)status;
    struct findings findings = {.json = json ? facts_open() : NULL};
    bool cuda = survey_solvers(findings.json);
    survey_ranks(findings.json);
    heading(findings.json, "Drawing");
    if (gl_context_survey(print_context, &findings) != STATUS_OK)
        tell(findings.json, "drawing", 0, "EGL", false, status_text(), "");
    status = advise(cuda, &findings, survey_codecs(findings.json));
    facts_print(&findings.json);
    return (int)status;
}

const struct command command_doctor = {
    .name = "doctor",
    .doc = "say what this machine offers and what is missing",
    .run = run_doctor,
};
