#include "sim/formats/snapshot.h"

#include "sim/bodies/components.h"

#include <stdlib.h>

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

bool snapshot_narrow(const struct snapshot *snapshot, const double *numbers, size_t count)
{
    size_t i = 0;
    while (snapshot->single && i < count && (double)(float)numbers[i] == numbers[i])
        i++;
    return snapshot->single && i == count;
}

void snapshot_free(struct snapshot *snapshot)
{
    bodies_destroy(&snapshot->bodies);
    free(snapshot->group);
    *snapshot = (struct snapshot){.bodies = NULL};
}
