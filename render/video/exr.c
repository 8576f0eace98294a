/* A sink: an EXR file per picture, scene-linear light for those who grade. */
#include "base/memory.h"
#include "render/picture/png_name.h"
#include "render/sink/sequence.h"
#include "render/sink/sink.h"
#include "render/video/exr_file.h"
#include "render/video/libav.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static enum status exr_plan(const struct sink_params *params, struct sink_plan *plan)
{
    char name[PATH_MAX];
    enum status status = exr_file_check(params->exr_bits, params->alpha);
    if (status != STATUS_OK)
        return status;
    *plan = (struct sink_plan){.format = PICTURE_RGBAF32};
    libav_versions(plan->libraries, sizeof plan->libraries);
    snprintf(plan->description, sizeof plan->description,
             "EXR %s floats of scene-linear light, %u thread%s",
             params->exr_bits == 16 ? "half" : "32-bit", params->threads,
             params->threads == 1 ? "" : "s");
    return png_name(params->path, params->first_frame, name, sizeof name);
}

static enum status write_file(const void *settings, const char *name, const struct picture *picture,
                              uint64_t written, uint64_t *bytes)
{
    return exr_file_write(name, picture, settings, written, bytes);
}

static void free_settings(void *settings)
{
    struct exr_settings *own = settings;
    tags_free(&own->tags);
    free(own);
}

static const struct sequence_files files = {
    .kind = "EXR",
    .write = write_file,
    .free = free_settings,
};

static enum status exr_open(const struct sink_params *params, struct sink **out)
{
    struct sink_plan plan;
    *out = NULL;
    enum status status = exr_plan(params, &plan);
    if (status != STATUS_OK)
        return status;
    struct exr_settings *settings = memory_new(1, sizeof *settings);
    settings->bits = params->exr_bits;
    tags_copy(&settings->tags, &params->tags);
    return sequence_open(params, &plan, &sink_exr, &files, settings, out);
}

const struct sink_ops sink_exr = {
    .name = "exr",
    .doc =
        "an EXR file per picture, scene-linear light before the tone curve, half or 32-bit floats",
    .binary = true,
    .sequence = true,
    .plan = exr_plan,
    .open = exr_open,
    .write = sequence_write,
    .close = sequence_close,
};
