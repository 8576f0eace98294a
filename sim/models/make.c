#include "sim/bodies/bodies.h"

#include "base/text.h"
#include "sim/models/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct bodies_model *const bodies_models[] = {
    &model_galaxies,
    &model_plummer,
    &model_file,
    NULL,
};

static enum status find_model(const char *name, const struct bodies_model **out)
{
    char list[256] = "";
    for (size_t i = 0; bodies_models[i]; i++) {
        *out = bodies_models[i];
        if (strcmp(name, (*out)->name) == 0)
            return STATUS_OK;
        text_list(list, sizeof list, (*out)->name);
    }
    return status_fail(STATUS_USAGE, "bodies.model is '%s', which is no model; there are: %s", name,
                       list);
}

static enum status check_finite(const struct bodies *bodies)
{
    for (size_t i = 0; i < bodies->count; i++) {
        bool finite = isfinite(bodies->mass[i]);
        for (int k = 0; k < 3; k++)
            finite = finite && isfinite(bodies->position[i][k]) && isfinite(bodies->velocity[i][k]);
        if (!finite)
            return status_fail(STATUS_USAGE,
                               "body %zu is not at a finite place with a finite velocity and mass; "
                               "check the scale factors and the model's numbers",
                               i + 1);
    }
    return STATUS_OK;
}

enum status bodies_make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    const struct bodies_model *model = NULL;
    enum status status = find_model(params->model, &model);
    struct bodies *bodies = NULL;
    if (status == STATUS_OK)
        status = model->make(params, &bodies);
    if (status == STATUS_OK)
        status = bodies_select(bodies, params->use);
    if (status == STATUS_OK && model == &model_file && params->count != 0)
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
