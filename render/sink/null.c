/* Counts the pictures and keeps nothing, for measuring. */
#include "base/memory.h"
#include "render/sink/sink.h"

#include <stdlib.h>

static enum status null_plan(const struct sink_params *params, struct sink_plan *plan)
{
    *plan = (struct sink_plan){.format = PICTURE_NV12, .description = "null, nothing is kept"};
    return sink_check_even(plan->format, params->width, params->height, params->pad);
}

static enum status null_open(const struct sink_params *params, struct sink **out)
{
    struct sink_plan plan;
    *out = NULL;
    enum status status = null_plan(params, &plan);
    if (status != STATUS_OK)
        return status;
    *out = memory_new(1, sizeof **out);
    sink_start(*out, &sink_null, params, &plan);
    return STATUS_OK;
}

static enum status null_write(struct sink *sink, const struct picture *picture)
{
    enum status status = sink_check_picture(sink, picture);
    if (status == STATUS_OK)
        sink->frames++;
    return status;
}

static enum status null_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    (void)keep;
    if (frames)
        *frames = (*sink)->frames;
    if (bytes)
        *bytes = 0;
    free(*sink);
    *sink = NULL;
    return STATUS_OK;
}

const struct sink_ops sink_null = {
    .name = "null",
    .doc = "counts the pictures and keeps nothing, for measuring",
    .discards = true,
    .plan = null_plan,
    .open = null_open,
    .write = null_write,
    .close = null_close,
};
