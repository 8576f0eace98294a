#include "cmd/command.h"

#include "cmd/cli/arguments.h"

#include "render/gl/context.h"
#include "render/video/codecs.h"
#include "render/video/video.h"
#include "sim/solver/solver.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct findings {
    bool drawing, hardware; /* some context opened; one of them on a GPU */
    bool matched;           /* one that shares memory with a CUDA device */
};

static void print_context(void *user, const char *platform, const struct gl_context *context,
                          const char *reason)
{
    struct findings *findings = user;
    if (!context) {
        printf("  [--] %-32s %s\n", platform, reason);
        return;
    }
    printf("  [ok] %-32s %s%s\n", platform, context->renderer,
           context->software ? " (drawn by the CPU)" : "");
    printf("       %-32s OpenGL %s, point sprites up to %.0f pixels, pictures up to %d\n", "",
           context->version, (double)context->point_size_max, context->texture_size_max);
    findings->drawing = true;
    findings->hardware |= !context->software;
    findings->matched |= context->cuda_device >= 0;
}

static bool survey_solvers(void)
{
    bool cuda = false;
    printf("Simulation\n");
    const struct solver_ops *ops;
    for (size_t i = 0; (ops = choice_at(&solver_registry, i)); i++) {
        enum { DEVICES_MAX = 64 };
        for (int device = 0; device < (ops->on_gpu ? DEVICES_MAX : 1); device++) {
            char description[256];
            enum status status = ops->probe(device);
            /* Past the last device there is nothing to report, unless there is none at all. */
            if (status != STATUS_OK && device > 0)
                break;
            if (status == STATUS_OK &&
                ops->describe(device, description, sizeof description) == STATUS_OK)
                printf("  [ok] %-5s %s\n", ops->name, description);
            else
                printf("  [--] %-5s %s\n", ops->name, status_text());
            cuda |= ops->on_gpu && status == STATUS_OK;
        }
    }
    return cuda;
}

static int survey_codecs(void)
{
    int usable = 0;
    printf("Encoders\n");
    const struct codec *codec;
    for (size_t i = 0; (codec = choice_at(&codec_registry, i)); i++) {
        bool opens = video_probe(codec) == STATUS_OK;
        printf("  [%s] %-14s %s\n", opens ? "ok" : "--", codec->name,
               opens ? codec->doc : status_text());
        usable += opens;
    }
    return usable;
}

static enum status advise(bool cuda, const struct findings *findings, int encoders)
{
    printf("\n");
    if (!findings->drawing)
        return status_fail(STATUS_DEVICE,
                           "nothing on this machine can draw; install libegl1 and "
                           "libgl1-mesa-dri, or in a container enable the driver's `graphics` "
                           "capability and its EGL vendor file, 10_nvidia.json");
    if (encoders == 0)
        return status_fail(STATUS_DEVICE,
                           "no encoder opens, so only PNG sequences can be written; install a "
                           "libavcodec with libx264 (Debian: libavcodec59 or later)");
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

static int run_doctor(int argc, char **argv)
{
    static const struct argp argp = {
        .doc =
            "Says what this machine offers for simulating, drawing and encoding, what is missing "
            "and what to do about it.",
    };
    enum status status = arguments_parse(&argp, "doctor", argc, argv, NULL);
    if (status != STATUS_OK)
        return (int)status;
    bool cuda = survey_solvers();
    printf("Drawing\n");
    struct findings findings = {0};
    if (gl_context_survey(print_context, &findings) != STATUS_OK)
        printf("  [--] %s\n", status_text());
    return (int)advise(cuda, &findings, survey_codecs());
}

const struct command command_doctor = {
    .name = "doctor",
    .doc = "say what this machine offers and what is missing",
    .run = run_doctor,
};
