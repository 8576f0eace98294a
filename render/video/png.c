#include "render/picture/png_file.h"
#include "render/video/libav_calls.h"
#include "render/video/picture_file.h"

#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <string.h>

enum { KEY_MAX = 79 };

static enum status png_plan(const struct sink_params *params, struct sink_plan *plan)
{
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
    plan->format = picture_format_rgba(params->png_bits, params->alpha);
    png_file_libraries(plan->libraries, sizeof plan->libraries);
    snprintf(plan->description, sizeof plan->description, "PNG %u bits level %u%s",
             params->png_bits, params->png_level,
             params->alpha == ALPHA_STRAIGHT        ? ", straight alpha"
             : params->alpha == ALPHA_PREMULTIPLIED ? ", premultiplied alpha"
                                                    : "");
    return STATUS_OK;
}

static enum status png_write(const char *path, const struct picture *picture,
                             const struct sink_params *params, uint64_t frames, uint64_t *bytes)
{
    const struct png_settings settings = {.level = (int)params->png_level, .tags = params->tags};
    return png_file_write(path, picture, &settings, frames, bytes);
}

static enum status png_read(const char *path, AVFrame **frame, uint32_t *bits)
{
    enum status status = picture_file_decode(path, "png", "PNG", frame);
    if (status == STATUS_OK)
        *bits = (uint32_t)av_pix_fmt_desc_get((*frame)->format)->comp[0].depth;
    return status;
}

const struct picture_file picture_png = {
    .name = "png",
    .doc = "8 or 16 bits per channel, display values",
    .kind = "PNG",
    .magic = "\x89PNG\r\n\x1a\n",
    .magic_size = 8,
    .plan = png_plan,
    .write = png_write,
    .read = png_read,
    .tags = png_file_read_tags,
};
