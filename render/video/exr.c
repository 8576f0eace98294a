#include "render/video/exr.h"

#include "base/file.h"
#include "base/memory.h"
#include "render/picture/png_name.h"
#include "render/video/exr_file.h"
#include "render/video/libav.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct exr_sink {
    struct sink base;
    uint64_t first_frame;
    char *path;
    struct exr_settings settings;
};

static enum status exr_plan(const struct sink_params *params, struct sink_plan *plan)
{
    char name[PATH_MAX];
    if (params->exr_bits != 16 && params->exr_bits != 32)
        return status_fail(STATUS_USAGE,
                           "an EXR picture with %u bits per sample is not possible; use 16 or 32",
                           params->exr_bits);
    if (params->alpha != ALPHA_NONE)
        return status_fail(
            STATUS_USAGE, "EXR pictures hold light, which is added to what is behind it and has no "
                          "alpha; leave out output.alpha");
    *plan = (struct sink_plan){.format = PICTURE_RGBAF32};
    libav_versions(plan->libraries, sizeof plan->libraries);
    snprintf(plan->description, sizeof plan->description, "EXR %s floats of scene-linear light",
             params->exr_bits == 16 ? "half" : "32-bit");
    return png_name(params->path, params->first_frame, name, sizeof name);
}

static enum status make_folder(const struct sink_params *params)
{
    char name[PATH_MAX];
    enum status status = png_name(params->path, params->first_frame, name, sizeof name);
    if (status != STATUS_OK)
        return status;
    char *folder = file_folder(name);
    status = file_make_folder(folder);
    if (status == STATUS_OK && access(folder, W_OK | X_OK) != 0)
        status =
            status_fail(STATUS_IO, "cannot write into folder '%s': %s", folder, strerror(errno));
    free(folder);
    return status;
}

static enum status exr_open(const struct sink_params *params, struct sink **out)
{
    struct sink_plan plan;
    *out = NULL;
    enum status status = exr_plan(params, &plan);
    if (status == STATUS_OK)
        status = make_folder(params);
    if (status != STATUS_OK)
        return status;
    struct exr_sink *exr = memory_new(1, sizeof *exr);
    sink_start(&exr->base, &sink_exr, params, &plan);
    exr->first_frame = params->first_frame;
    exr->path = memory_text(params->path);
    exr->settings.bits = params->exr_bits;
    for (size_t i = 0; i < params->tags.count; i++)
        tags_add(&exr->settings.tags, params->tags.list[i].name, params->tags.list[i].value);
    *out = &exr->base;
    return STATUS_OK;
}

static enum status exr_write(struct sink *sink, const struct picture *picture)
{
    struct exr_sink *exr = (struct exr_sink *)sink;
    char name[PATH_MAX];
    uint64_t bytes = 0;
    enum status status = sink_check_picture(sink, picture);
    if (status == STATUS_OK)
        status = png_name(exr->path, exr->first_frame + sink->frames, name, sizeof name);
    if (status == STATUS_OK)
        status = exr_file_write(name, picture, &exr->settings, sink->frames, &bytes);
    if (status != STATUS_OK)
        return status;
    sink->frames++;
    sink->bytes += bytes;
    return STATUS_OK;
}

static enum status exr_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    struct exr_sink *exr = (struct exr_sink *)*sink;
    char name[PATH_MAX];
    for (uint64_t i = 0; !keep && i < exr->base.frames; i++)
        if (png_name(exr->path, exr->first_frame + i, name, sizeof name) == STATUS_OK)
            unlink(name);
    if (frames)
        *frames = keep ? exr->base.frames : 0;
    if (bytes)
        *bytes = keep ? exr->base.bytes : 0;
    tags_free(&exr->settings.tags);
    free(exr->path);
    free(exr);
    *sink = NULL;
    return STATUS_OK;
}

const struct sink_ops sink_exr = {
    .name = "exr",
    .doc =
        "an EXR file per picture, scene-linear light before the tone curve, half or 32-bit floats",
    .binary = true,
    .sequence = true,
    .plan = exr_plan,
    .open = exr_open,
    .write = exr_write,
    .close = exr_close,
};
