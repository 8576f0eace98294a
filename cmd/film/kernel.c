#include "cmd/film/kernel.h"

#include "render/sprites/sizing.h"

#include <stdlib.h>

bool kernel_drawn(const struct bodies *bodies)
{
    const struct body_column *column = body_columns_find(&bodies->columns, BODY_KERNEL);
    if (column)
        for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1))
            if (column->value[i] > 0)
                return true;
    return false;
}

enum status kernel_find(float **out, const struct scene *scene, const struct look_params *chosen,
                        const struct bodies *bodies)
{
    *out = NULL;
    if (!look_needs_kernel(chosen))
        return STATUS_OK;
    if (!kernel_drawn(bodies)) {
        status_fail(STATUS_USAGE,
                    "look.size is %s, and no body that is drawn has a smoothing "
                    "length; use adaptive, or a file of gas with SmoothingLength",
                    chosen->size->name);
        return scene_blame(scene, "look.size");
    }
    *out = malloc(bodies->count * sizeof **out);
    if (!*out)
        return status_fail(STATUS_RUNTIME, "no memory left for the kernels of %zu bodies",
                           bodies->count);
    const struct body_column *column = body_columns_find(&bodies->columns, BODY_KERNEL);
    for (size_t i = 0; i < bodies->count; i++)
        (*out)[i] = column->value[i] > 0 ? (float)column->value[i] : 0;
    return STATUS_OK;
}
