#include "sim/bodies.h"

#include <stdlib.h>

enum status bodies_create(struct bodies **out, size_t count, size_t components)
{
    *out = NULL;
    struct bodies *bodies = calloc(1, sizeof *bodies);
    if (bodies) {
        bodies->count = count;
        bodies->mass = calloc(count, sizeof *bodies->mass);
        bodies->position = calloc(count, sizeof *bodies->position);
        bodies->velocity = calloc(count, sizeof *bodies->velocity);
        bodies->component_count = components;
        bodies->components = calloc(components, sizeof *bodies->components);
    }
    if (!bodies || !bodies->mass || !bodies->position || !bodies->velocity || !bodies->components) {
        bodies_destroy(&bodies);
        return status_fail(STATUS_RUNTIME, "%zu bodies do not fit in memory; ask for fewer with -n",
                           count);
    }
    *out = bodies;
    return STATUS_OK;
}

void bodies_destroy(struct bodies **bodies)
{
    if (!*bodies)
        return;
    free((*bodies)->mass);
    free((*bodies)->position);
    free((*bodies)->velocity);
    free((*bodies)->components);
    free(*bodies);
    *bodies = NULL;
}
