/* A PNG sequence: a file per picture, compressed by `threads` workers. */
#include "base/memory.h"
#include "render/picture/png_file.h"
#include "render/picture/png_name.h"
#include "render/sink/sequence.h"
#include "render/sink/sink.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 79 };

static enum status png_plan(const struct sink_params *params, struct sink_plan *plan)
{
    char name[PATH_MAX];
    if (params->png_bits != 8 && params->png_bits != 16)
        return status_fail(STATUS_USAGE,
                           "a PNG with %u bits per channel is not possible; use 8 or 16",
                           params->png_bits);
    if (params->png_level > 9)
        return status_fail(STATUS_USAGE, "PNG compression level %u is out of range; use 0 to 9",
                           params->png_level);
    for (size_t i = 0; i < params->tags.count; i++) {
        size_t length = strlen(params->tags.list[i].name);
        if (length == 0 || length > KEY_MAX)
            return status_fail(STATUS_USAGE,
                               "the key '%s' of a PNG text must have 1 to %d characters",
                               params->tags.list[i].name, KEY_MAX);
    }
    *plan = (struct sink_plan){.format = picture_format_rgba(params->png_bits, params->alpha)};
    png_file_libraries(plan->libraries, sizeof plan->libraries);
    snprintf(plan->description, sizeof plan->description, "PNG %u bits level %u, %u thread%s%s",
             params->png_bits, params->png_level, params->threads, params->threads == 1 ? "" : "s",
             params->alpha == ALPHA_STRAIGHT        ? ", straight alpha"
             : params->alpha == ALPHA_PREMULTIPLIED ? ", premultiplied alpha"
                                                    : "");
    return png_name(params->path, params->first_frame, name, sizeof name);
}

static enum status write_file(const void *settings, const char *name, const struct picture *picture,
                              uint64_t written, uint64_t *bytes)
{
    return png_file_write(name, picture, settings, written, bytes);
}

static void free_settings(void *settings)
{
    struct png_settings *own = settings;
    tags_free(&own->tags);
    free(own);
}

static const struct sequence_files files = {
    .kind = "PNG",
    .write = write_file,
    .free = free_settings,
};

static enum status png_open(const struct sink_params *params, struct sink **out)
{
    struct sink_plan plan;
    *out = NULL;
    enum status status = png_plan(params, &plan);
    if (status != STATUS_OK)
        return status;
    struct png_settings *settings = memory_new(1, sizeof *settings);
    settings->level = (int)params->png_level;
    tags_copy(&settings->tags, &params->tags);
    return sequence_open(params, &plan, &sink_png, &files, settings, out);
}

const struct sink_ops sink_png = {
    .name = "png",
    .doc = "a PNG file per picture, 8 or 16 bits per channel",
    .binary = true,
    .sequence = true,
    .plan = png_plan,
    .open = png_open,
    .write = sequence_write,
    .close = sequence_close,
};
