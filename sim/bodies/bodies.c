#include "sim/bodies/bodies.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static enum status no_room(size_t count)
{
    return status_fail(
        STATUS_RUNTIME,
        "%zu bodies need %.0f MiB, which do not fit in memory; ask for fewer with -n", count,
        (double)count * 7 * sizeof(double) / (1 << 20));
}

enum status bodies_create(struct bodies **out, size_t count, size_t components)
{
    struct bodies *bodies = *out = memory_new(1, sizeof *bodies);
    bodies->count = count;
    bodies->mass = body_column_memory(count, sizeof *bodies->mass);
    bodies->position = body_column_memory(count, sizeof *bodies->position);
    bodies->velocity = body_column_memory(count, sizeof *bodies->velocity);
    bodies->component_count = components;
    bodies->components = memory_new(components, sizeof *bodies->components);
    if (bodies->mass && bodies->position && bodies->velocity)
        return STATUS_OK;
    bodies_destroy(out);
    return no_room(count);
}

enum status bodies_add_ids(struct bodies *bodies, size_t room)
{
    if (!bodies->id)
        bodies->id = body_column_memory(room, sizeof *bodies->id);
    return bodies->id ? STATUS_OK : no_room(room);
}

enum status bodies_make_room(struct bodies *bodies, size_t room)
{
    const bool fits = body_column_resize(&bodies->mass, room, sizeof *bodies->mass) &&
                      body_column_resize(&bodies->position, room, sizeof *bodies->position) &&
                      body_column_resize(&bodies->velocity, room, sizeof *bodies->velocity) &&
                      (!bodies->id || body_column_resize(&bodies->id, room, sizeof *bodies->id)) &&
                      body_columns_make_room(&bodies->columns, room);
    return fits ? STATUS_OK : no_room(room);
}

enum status bodies_copy(struct bodies **out, const struct bodies *bodies)
{
    enum status status = bodies_create(out, bodies->count, bodies->component_count);
    if (status != STATUS_OK)
        return status;
    (*out)->shared = bodies->shared;
    memcpy((*out)->mass, bodies->mass, bodies->count * sizeof *bodies->mass);
    memcpy((*out)->position, bodies->position, bodies->count * sizeof *bodies->position);
    memcpy((*out)->velocity, bodies->velocity, bodies->count * sizeof *bodies->velocity);
    memcpy((*out)->components, bodies->components,
           bodies->component_count * sizeof *bodies->components);
    if (bodies->id && (status = bodies_add_ids(*out, bodies->count)) == STATUS_OK)
        memcpy((*out)->id, bodies->id, bodies->count * sizeof *bodies->id);
    if (status == STATUS_OK)
        status = body_columns_copy(&(*out)->columns, &bodies->columns, bodies->count);
    if (status != STATUS_OK)
        bodies_destroy(out);
    return status;
}

size_t bodies_drawn(const struct bodies *bodies, size_t i)
{
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const size_t first = i > component->first ? i : component->first;
        if (component->draw && first < component->first + component->count)
            return first;
    }
    return bodies->count;
}

void bodies_destroy(struct bodies **bodies)
{
    if (!*bodies)
        return;
    free((*bodies)->mass);
    free((*bodies)->position);
    free((*bodies)->velocity);
    free((*bodies)->id);
    body_columns_free(&(*bodies)->columns);
    free((*bodies)->components);
    free(*bodies);
    *bodies = NULL;
}
