#include "cmd/film/start/kernel.h"

#include "render/sprites/sizing.h"

bool kernel_drawn(const struct bodies *bodies)
{
    const struct body_column *column = body_columns_find(&bodies->columns, BODY_KERNEL);
    if (column)
        for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1))
            if (column->value[i] > 0)
                return true;
    return false;
}

enum status kernel_check(const struct scene *scene, const struct look_params *chosen,
                         const struct bodies *bodies)
{
    if (!look_needs_column(chosen, COLUMN_KERNEL) || kernel_drawn(bodies))
        return STATUS_OK;
    status_fail(STATUS_USAGE,
                "look.size is %s, and no body that is drawn has a smoothing length; use adaptive, "
                "or a file of gas with SmoothingLength",
                chosen->size->name);
    return scene_blame(scene, "look.size");
}
