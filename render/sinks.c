#include "render/sinks.h"

#include "base/file.h"
#include "base/text.h"

#include <string.h>
#include <unistd.h>

#define SINK_ENTRY(name) &sink_##name,
static const struct sink_ops *const sinks[] = {SINKS(SINK_ENTRY)};

const struct registry sink_registry = REGISTRY_LIST("sink", sinks);

static const char *format_of(const struct sink_params *params)
{
    if (params->format[0])
        return params->format;
    return strcmp(params->path, "-") == 0 ? "mkv" : file_extension(params->path);
}

/* The sink's own name for the format; NULL: the sink does not write it. */
static const char *find_format(const struct sink_ops *ops, const char *format)
{
    if (!ops->formats)
        return strcmp(ops->name, format) == 0 ? ops->name : NULL;
    const struct choice *found = choice_find(ops->formats, format);
    return found ? found->name : NULL;
}

void sink_list_formats(bool by_extension, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; i < sizeof sinks / sizeof sinks[0]; i++) {
        char names[128];
        if (by_extension && sinks[i]->discards)
            continue;
        if (sinks[i]->formats)
            choice_names(sinks[i]->formats, names, sizeof names);
        text_list(out, size, sinks[i]->formats ? names : sinks[i]->name);
    }
}

enum status sink_choose(const struct sink_params *params, const struct sink_ops **ops)
{
    const bool by_extension = !params->format[0];
    const char *format = format_of(params);
    for (size_t i = 0; i < sizeof sinks / sizeof sinks[0]; i++) {
        *ops = sinks[i];
        if (find_format(*ops, format) && !(by_extension && (*ops)->discards))
            return STATUS_OK;
    }
    *ops = NULL;
    char formats[256];
    sink_list_formats(by_extension, formats, sizeof formats);
    if (!by_extension)
        return status_fail(STATUS_USAGE, "there is no output format '%s'; choose one of %s", format,
                           formats);
    if (!*format)
        return status_fail(STATUS_USAGE,
                           "'%s' has no extension, so the output format is unknown; use one of %s",
                           params->path, formats);
    return status_fail(STATUS_USAGE,
                       "the extension of '%s' is not that of an output format; use one of %s",
                       params->path, formats);
}

const char *sink_format(const struct sink_params *params)
{
    const struct sink_ops *ops;
    return sink_choose(params, &ops) == STATUS_OK ? find_format(ops, format_of(params)) : NULL;
}

static enum status check(const struct sink_params *params, const struct sink_ops *ops)
{
    enum { SIZE_MAX_PIXELS = 32768, RATE_MAX = 1000, THREADS_MAX = 128 };
    if (params->width == 0 || params->height == 0 || params->width > SIZE_MAX_PIXELS ||
        params->height > SIZE_MAX_PIXELS)
        return status_fail(STATUS_USAGE,
                           "pictures of %ux%u are not possible; width and height must be 1 to %d",
                           params->width, params->height, SIZE_MAX_PIXELS);
    if (params->fps_num == 0 || params->fps_den == 0 || params->fps_num > INT32_MAX ||
        params->fps_den > INT32_MAX || params->fps_num / params->fps_den > RATE_MAX)
        return status_fail(
            STATUS_USAGE,
            "%u/%u frames per second are not possible; use more than 0 and at most %d",
            params->fps_num, params->fps_den, RATE_MAX);
    if (params->output.threads == 0 || params->output.threads > THREADS_MAX)
        return status_fail(STATUS_USAGE, "an output with %u threads is not possible; use 1 to %d",
                           params->output.threads, THREADS_MAX);
    if (strcmp(params->path, "-") == 0 && ops->binary && isatty(STDOUT_FILENO))
        return status_fail(STATUS_USAGE, "a film cannot be written to a terminal; pipe it into "
                                         "another program or name a file with -o");
    return STATUS_OK;
}

/* The parameters with the sink's own name for the format. */
static enum status resolve(const struct sink_params *params, struct sink_params *resolved,
                           const struct sink_ops **ops)
{
    enum status status = sink_choose(params, ops);
    if (status == STATUS_OK)
        status = check(params, *ops);
    if (status != STATUS_OK)
        return status;
    *resolved = *params;
    resolved->format = find_format(*ops, format_of(params));
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
