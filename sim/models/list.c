#include "base/ranks/ranks.h"
#include "sim/bodies/whole.h"
#include "sim/params.h"

#include <stdio.h>
#include <string.h>

/* Long names are truncated. */
static void name_components(const struct bodies_params *params, struct bodies *bodies)
{
    for (size_t i = 0; i < bodies->component_count; i++) {
        struct component *component = &bodies->components[i];
        *component = (struct component){.first = i, .count = 1, .draw = true, .light = 1};
        snprintf(component->name, BODIES_NAME_MAX, "%s", params->list[i].name);
    }
}

/* With params->divide, keeps the bodies of this rank. */
static void divide(struct bodies *bodies)
{
    size_t count = 0;
    for (size_t i = 0; i < bodies->component_count; i++) {
        whole_divide(&bodies->components[i], count, (unsigned)ranks_own(), (unsigned)ranks_count());
        count += bodies->components[i].count;
    }
    bodies->count = count;
    bodies->shared = true;
}

/* At most `count` bodies, as in any model. */
static enum status make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    if (params->list_count == 0 || params->count == 0)
        return status_fail(STATUS_USAGE, "model list needs bodies; give them in bodies.list");
    const size_t count = params->count < params->list_count ? params->count : params->list_count;
    enum status status = bodies_create(out, count, count);
    if (status != STATUS_OK)
        return status;
    name_components(params, *out);
    if (params->divide)
        divide(*out);
    for (size_t i = 0; i < count; i++) {
        const struct body_params *body = &params->list[i];
        const size_t row = (*out)->components[i].first;
        if ((*out)->components[i].count == 0)
            continue;
        (*out)->mass[row] = body->mass;
        memcpy((*out)->position[row], body->position, sizeof body->position);
        memcpy((*out)->velocity[row], body->velocity, sizeof body->velocity);
    }
    return STATUS_OK;
}

const struct bodies_model model_list = {
    .name = "list",
    .doc = "the bodies that bodies.list gives, each a component of its own",
    .make = make,
};
