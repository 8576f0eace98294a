#include "cmd/film/start/kernel.h"

#include "render/sprites/modes.h"
#include "sim/bodies/whole.h"

enum status kernel_drawn(const struct bodies *bodies, bool *out)
{
    const struct body_column *column = body_columns_find(&bodies->columns, BODY_KERNEL);
    *out = false;
    for (size_t i = bodies_drawn(bodies, 0); column && !*out && i < bodies->count;
         i = bodies_drawn(bodies, i + 1))
        *out = column->value[i] > 0;
    return whole_any(bodies, out);
}

enum status kernel_check(const struct scene *scene, const struct look_params *chosen,
                         const struct bodies *bodies)
{
    bool drawn;
    if (!look_needs_column(chosen, COLUMN_KERNEL))
        return STATUS_OK;
    const enum status status = kernel_drawn(bodies, &drawn);
    if (status != STATUS_OK || drawn)
        return status;
    status_fail(STATUS_USAGE,
                "look.size is %s, and no body that is drawn has a smoothing length; use adaptive, "
                "or a file of gas with SmoothingLength",
                chosen->size->name);
    return scene_blame(scene, "look.size");
}
