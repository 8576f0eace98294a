#include "sim/bodies/bodies.h"
#include "sim/params.h"

#include <stdio.h>
#include <string.h>

/* At most `count` bodies, as in any model; long names are truncated. */
static enum status make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    if (params->list_count == 0 || params->count == 0)
        return status_fail(STATUS_USAGE, "model list needs bodies; give them in bodies.list");
    const size_t count = params->count < params->list_count ? params->count : params->list_count;
    enum status status = bodies_create(out, count, count);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        const struct body_params *body = &params->list[i];
        struct component *component = &(*out)->components[i];
        *component = (struct component){.first = i, .count = 1, .draw = true, .light = 1};
        snprintf(component->name, BODIES_NAME_MAX, "%s", body->name);
        (*out)->mass[i] = body->mass;
        memcpy((*out)->position[i], body->position, sizeof body->position);
        memcpy((*out)->velocity[i], body->velocity, sizeof body->velocity);
    }
    return status;
}

const struct bodies_model model_list = {
    .name = "list",
    .doc = "the bodies that bodies.list gives, each a component of its own",
    .make = make,
};
