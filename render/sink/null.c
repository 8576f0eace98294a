#include "render/sink/null.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

struct null_sink {
    struct sink base;
    uint32_t width, height;
};

static enum status null_plan(const struct sink_params *params, struct sink_plan *plan)
{
    *plan = (struct sink_plan){.format = PICTURE_NV12, .description = "null, nothing is kept"};
    return sink_check_even(plan->format, params->width, params->height, params->pad);
}

static enum status null_open(const struct sink_params *params, struct sink **out)
{
    *out = NULL;
    struct sink_plan plan;
    enum status status = null_plan(params, &plan);
    if (status != STATUS_OK)
        return status;
    struct null_sink *null = memory_new(1, sizeof *null);
    null->base = (struct sink){.ops = &sink_null, .format = plan.format};
    snprintf(null->base.description, sizeof null->base.description, "%s", plan.description);
    null->width = params->width;
    null->height = params->height;
    *out = &null->base;
    return STATUS_OK;
}

static enum status null_write(struct sink *sink, const struct picture *picture)
{
    struct null_sink *null = (struct null_sink *)sink;
    enum status status = sink_check_picture(sink, picture, null->width, null->height);
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
