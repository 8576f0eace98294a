#include "render/sink/sink.h"

#include <stdio.h>

void sink_start(struct sink *sink, const struct sink_ops *ops, const struct sink_params *params,
                const struct sink_plan *plan)
{
    *sink = (struct sink){
        .ops = ops, .format = plan->format, .width = params->width, .height = params->height};
    snprintf(sink->description, sizeof sink->description, "%s", plan->description);
}

void sink_add_tag(struct sink *sink, const char *name, const char *value)
{
    const struct tag tag = {name, value};
    if (sink->ops->tag)
        sink->ops->tag(sink, &tag);
}

enum status sink_check_even(enum picture_format format, uint32_t width, uint32_t height, bool pad)
{
    if (pad || !picture_format_subsampled(format) || (width % 2 == 0 && height % 2 == 0))
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "cannot store a picture of %ux%u: this film stores colour at half the size, "
                       "which needs an even width and height; use %ux%u, or --pad for a black edge",
                       width, height, width + width % 2, height + height % 2);
}

enum status sink_check_picture(const struct sink *sink, const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    if (layout->format == sink->format && layout->width == sink->width &&
        layout->height == sink->height)
        return STATUS_OK;
    return status_fail(STATUS_RUNTIME,
                       "the output expects %s pictures of %ux%u, but got %s of %ux%u",
                       picture_format_name(sink->format), sink->width, sink->height,
                       picture_format_name(layout->format), layout->width, layout->height);
}
