#include "sim/bodies/bodies.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static enum status no_room(size_t count)
{
    return status_fail(
        STATUS_RUNTIME,
        "%zu bodies need %.0f MiB, which do not fit in memory; ask for fewer with -n", count,
        (double)count * 7 * sizeof(double) / (1 << 20));
}

/* Pages of 2 MiB, where the system has them: to hand out a large column in pages of 4 KiB takes
 * longer than to read it from a file. */
static void *in_large_pages(void *column, size_t count, size_t size)
{
    enum { LARGE = 2 << 20, WORTH = 2 * LARGE };
    const size_t bytes = count * size, over = (size_t)column % LARGE;
    if (column && bytes >= WORTH)
        (void)madvise((char *)column + (over ? LARGE - over : 0), bytes - LARGE, MADV_HUGEPAGE);
    return column;
}

static void *new_column(size_t count, size_t size)
{
    return in_large_pages(calloc(count, size), count, size);
}

enum status bodies_create(struct bodies **out, size_t count, size_t components)
{
    struct bodies *bodies = *out = memory_new(1, sizeof *bodies);
    bodies->count = count;
    bodies->mass = new_column(count, sizeof *bodies->mass);
    bodies->position = new_column(count, sizeof *bodies->position);
    bodies->velocity = new_column(count, sizeof *bodies->velocity);
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
        bodies->id = new_column(room, sizeof *bodies->id);
    return bodies->id ? STATUS_OK : no_room(room);
}

static bool resize(void *column, size_t room, size_t size)
{
    void *const old = *(void **)column, *const now = reallocarray(old, room, size);
    if (now)
        *(void **)column = in_large_pages(now, room, size);
    return now;
}

enum status bodies_make_room(struct bodies *bodies, size_t room)
{
    const bool fits = resize(&bodies->mass, room, sizeof *bodies->mass) &&
                      resize(&bodies->position, room, sizeof *bodies->position) &&
                      resize(&bodies->velocity, room, sizeof *bodies->velocity) &&
                      (!bodies->id || resize(&bodies->id, room, sizeof *bodies->id));
    return fits ? STATUS_OK : no_room(room);
}

enum status bodies_copy(struct bodies **out, const struct bodies *bodies)
{
    enum status status = bodies_create(out, bodies->count, bodies->component_count);
    if (status != STATUS_OK)
        return status;
    memcpy((*out)->mass, bodies->mass, bodies->count * sizeof *bodies->mass);
    memcpy((*out)->position, bodies->position, bodies->count * sizeof *bodies->position);
    memcpy((*out)->velocity, bodies->velocity, bodies->count * sizeof *bodies->velocity);
    memcpy((*out)->components, bodies->components,
           bodies->component_count * sizeof *bodies->components);
    if (bodies->id && (status = bodies_add_ids(*out, bodies->count)) == STATUS_OK)
        memcpy((*out)->id, bodies->id, bodies->count * sizeof *bodies->id);
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
    free((*bodies)->components);
    free(*bodies);
    *bodies = NULL;
}
