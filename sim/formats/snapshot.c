#include "sim/formats/snapshot.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/bodies/components.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void snapshot_name_all(struct snapshot *snapshot)
{
    struct bodies *bodies = snapshot->bodies;
    bodies->component_count = 1;
    bodies->components[0] =
        (struct component){.name = "bodies", .count = bodies->count, .draw = true, .light = 1};
}

void snapshot_sort(struct snapshot *snapshot)
{
    bodies_arrange_own(snapshot->bodies, snapshot->group);
    free(snapshot->group);
    snapshot->group = NULL;
}

void snapshot_leave(struct snapshot *snapshot, const char *name)
{
    const size_t length = strlen(name);
    if (length == 0)
        return;
    for (const char *at = snapshot->unread; at && (at = strstr(at, name)); at += length)
        if ((at == snapshot->unread || at[-1] == ' ') && (at[length] == ',' || !at[length]))
            return;
    char *longer =
        snapshot->unread ? text_format("%s, %s", snapshot->unread, name) : memory_text(name);
    free(snapshot->unread);
    snapshot->unread = longer;
}

bool snapshot_fits(const double *numbers, size_t count)
{
    size_t i = 0;
    while (i < count && (double)(float)numbers[i] == numbers[i])
        i++;
    return i == count;
}

bool snapshot_narrow(const struct snapshot *snapshot, const double *numbers, size_t count)
{
    return snapshot->single && snapshot_fits(numbers, count);
}

void snapshot_free(struct snapshot *snapshot)
{
    bodies_destroy(&snapshot->bodies);
    free(snapshot->group);
    free(snapshot->unread);
    *snapshot = (struct snapshot){.bodies = NULL};
}

static enum status refuse(const struct bodies *bodies, size_t i, const char *path)
{
    if (bodies->mass[i] < 0)
        return status_fail(STATUS_USAGE,
                           "%s: the mass of body %zu is %g; masses cannot be negative", path, i + 1,
                           bodies->mass[i]);
    return status_fail(STATUS_USAGE,
                       "%s: body %zu has a mass, position or velocity that is not a finite number; "
                       "save it again without that body",
                       path, i + 1);
}

enum status bodies_check(const struct bodies *bodies, size_t first, size_t count, const char *path)
{
    for (size_t i = first; i < first + count; i++) {
        const double *x = bodies->position[i], *v = bodies->velocity[i];
        /* finite numbers times 0 add up to 0, anything else to NaN */
        const double none =
            0 * x[0] + 0 * x[1] + 0 * x[2] + 0 * v[0] + 0 * v[1] + 0 * v[2] + 0 * bodies->mass[i];
        if (!(none == 0) || bodies->mass[i] < 0)
            return refuse(bodies, i, path);
    }
    return STATUS_OK;
}
