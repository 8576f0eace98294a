#include "sim/models/make.h"

#include "sim/bodies/edit.h"

#include <math.h>

static enum status check_finite(const struct bodies *bodies)
{
    for (size_t i = 0; i < bodies->count; i++) {
        bool finite = isfinite(bodies->mass[i]);
        for (int k = 0; k < 3; k++)
            finite = finite && isfinite(bodies->position[i][k]) && isfinite(bodies->velocity[i][k]);
        if (!finite)
            return status_fail(
                STATUS_USAGE,
                "body %zu has a position, velocity or mass that is not finite; check "
                "the scale factors and the model's numbers",
                i + 1);
    }
    return STATUS_OK;
}

enum status bodies_make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    const struct bodies_model *model = params->model;
    struct bodies *bodies = NULL;
    enum status status = model->make(params, &bodies);
    if (status == STATUS_OK)
        status = bodies_select(bodies, params->use);
    if (status == STATUS_OK && model->reads_file && params->count != 0)
        status = bodies_thin(bodies, params->count);
    if (status == STATUS_OK) {
        bodies_scale(bodies, params->position_scale, params->velocity_scale, params->mass_scale);
        status = check_finite(bodies);
    }
    if (status)
        bodies_destroy(&bodies);
    *out = bodies;
    return status;
}
