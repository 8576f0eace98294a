#include "render/sink/sink.h"

#include "base/file.h"
#include "render/sink/common.h"

#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    const struct sink_ops *ops;
} formats[] = {
    {"mp4", &sink_video}, {"mkv", &sink_video}, {"mov", &sink_video}, {"webm", &sink_video},
    {"y4m", &sink_video}, {"png", &sink_png},   {"hash", &sink_hash}, {"null", &sink_null},
};

#define UNDERSTOOD "mp4, mkv, mov, webm, y4m, png and hash"

static const char *format_name(const struct sink_params *params)
{
    if (params->format[0])
        return params->format;
    if (strcmp(params->path, "-") == 0)
        return "mkv";
    const char *extension = file_extension(params->path);
    return strcmp(extension, "null") == 0 ? "" : extension;
}

/* The registry's own string for the format, or NULL. */
static const char *find_format(const struct sink_params *params, const struct sink_ops **ops)
{
    const char *name = format_name(params);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            *ops = formats[i].ops;
            return formats[i].name;
        }
    }
    return NULL;
}

enum status sink_choose(const struct sink_params *params, const struct sink_ops **ops)
{
    *ops = NULL;
    if (find_format(params, ops))
        return STATUS_OK;
    if (params->format[0])
        return status_fail(STATUS_USAGE,
                           "unknown output format '%s'; understood are " UNDERSTOOD " and null",
                           params->format);
    if (!file_extension(params->path)[0])
        return status_fail(STATUS_USAGE,
                           "'%s' has no extension that names a format; understood are " UNDERSTOOD,
                           params->path);
    return status_fail(STATUS_USAGE,
                       "the extension of '%s' names no format; understood are " UNDERSTOOD,
                       params->path);
}

enum status sink_check_even(enum picture_format format, uint32_t width, uint32_t height, bool pad)
{
    if (pad || !picture_format_halves(format) || (width % 2 == 0 && height % 2 == 0))
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "a picture of %ux%u cannot be stored as %s, which needs an even width and "
                       "height; use %ux%u, or --pad for a black edge",
                       width, height, picture_format_name(format), width + width % 2,
                       height + height % 2);
}

enum status sink_check_picture(const struct sink *sink, const struct picture *picture,
                               uint32_t width, uint32_t height)
{
    const struct picture_layout *layout = &picture->layout;
    if (layout->format == sink->format && layout->width == width && layout->height == height)
        return STATUS_OK;
    return status_fail(STATUS_RUNTIME,
                       "the output expects %s pictures of %ux%u, but got %s of %ux%u",
                       picture_format_name(sink->format), width, height,
                       picture_format_name(layout->format), layout->width, layout->height);
}

static enum status check(const struct sink_params *params, const struct sink_ops *ops)
{
    enum { SIZE_MAX_PIXELS = 32768, RATE_MAX = 1000, THREADS_MAX = 128 };
    if (params->width == 0 || params->height == 0 || params->width > SIZE_MAX_PIXELS ||
        params->height > SIZE_MAX_PIXELS)
        return status_fail(STATUS_USAGE, "a picture of %ux%u is not possible; both must be 1 to %d",
                           params->width, params->height, SIZE_MAX_PIXELS);
    if (params->fps_num == 0 || params->fps_den == 0 || params->fps_num > INT32_MAX ||
        params->fps_den > INT32_MAX || params->fps_num / params->fps_den > RATE_MAX)
        return status_fail(STATUS_USAGE,
                           "%u/%u frames a second are not possible; use more than 0 and at most %d",
                           params->fps_num, params->fps_den, RATE_MAX);
    if (params->threads == 0 || params->threads > THREADS_MAX)
        return status_fail(STATUS_USAGE, "an output with %u threads is not possible; use 1 to %d",
                           params->threads, THREADS_MAX);
    if (strcmp(params->path, "-") == 0 && (ops == &sink_video || ops == &sink_png) &&
        isatty(STDOUT_FILENO))
        return status_fail(STATUS_USAGE,
                           "a film is not written to a terminal; pipe it into another "
                           "program or name a file with -o");
    return STATUS_OK;
}

/* The parameters with the registry's own string for the format. */
static enum status resolve(const struct sink_params *params, struct sink_params *resolved,
                           const struct sink_ops **ops)
{
    enum status status = sink_choose(params, ops);
    if (status == STATUS_OK)
        status = check(params, *ops);
    if (status != STATUS_OK)
        return status;
    *resolved = *params;
    resolved->format = find_format(params, ops);
    return STATUS_OK;
}

enum status sink_make_plan(const struct sink_params *params, struct sink_plan *plan)
{
    const struct sink_ops *ops;
    struct sink_params resolved;
    enum status status = resolve(params, &resolved, &ops);
    return status == STATUS_OK ? ops->plan(&resolved, plan) : status;
}

enum status sink_open(const struct sink_params *params, struct sink **out)
{
    *out = NULL;
    const struct sink_ops *ops;
    struct sink_params resolved;
    enum status status = resolve(params, &resolved, &ops);
    return status == STATUS_OK ? ops->open(&resolved, out) : status;
}

enum status sink_add_tag(struct sink *sink, const char *key, const char *value)
{
    const struct sink_tag tag = {key, value};
    return sink->ops->tag ? sink->ops->tag(sink, &tag) : STATUS_OK;
}
