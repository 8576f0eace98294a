/* Replaces transfer_cuda.c where the program is built without CUDA. */
#include "render/gl/transfer.h"

static enum status unavailable(void)
{
    return status_fail(STATUS_DEVICE,
                       "sharing memory with CUDA needs a program built with CUDA, and this one "
                       "was built without it");
}

static enum status open_none(const struct transfer_params *params, struct transfer **out)
{
    (void)params;
    *out = NULL;
    return unavailable();
}

enum status transfer_fetch(const struct view *view, const float *from, size_t floats, float *to)
{
    (void)view, (void)from, (void)floats, (void)to;
    return unavailable();
}

const struct transfer_ops transfer_cuda = {.description = "none", .open = open_none};
