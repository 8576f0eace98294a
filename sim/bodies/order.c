#include "sim/bodies/order.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void swap_bytes(void *a, void *b, size_t size)
{
    unsigned char kept[3 * sizeof(double)];
    memcpy(kept, a, size);
    memcpy(a, b, size);
    memcpy(b, kept, size);
}

static void swap_bodies(struct bodies *bodies, size_t a, size_t b)
{
    swap_bytes(&bodies->mass[a], &bodies->mass[b], sizeof *bodies->mass);
    swap_bytes(bodies->position[a], bodies->position[b], sizeof *bodies->position);
    swap_bytes(bodies->velocity[a], bodies->velocity[b], sizeof *bodies->velocity);
    if (bodies->id)
        swap_bytes(&bodies->id[a], &bodies->id[b], sizeof *bodies->id);
    body_columns_swap(&bodies->columns, a, b);
}

/* A counting sort: replaces each body's group by its new position, then permutes the bodies in
 * place, cycle by cycle. */
void bodies_sort(struct bodies *bodies, uint32_t *group, size_t groups, size_t *size)
{
    size_t *next = memory_new(groups, sizeof *next), first = 0;
    memset(size, 0, groups * sizeof *size);
    for (size_t i = 0; i < bodies->count; i++)
        size[group[i]]++;
    for (size_t g = 0; g < groups; g++) {
        next[g] = first;
        first += size[g];
    }
    for (size_t i = 0; i < bodies->count; i++)
        group[i] = (uint32_t)next[group[i]]++;
    free(next);
    for (size_t i = 0; i < bodies->count; i++)
        while (group[i] != i) {
            const uint32_t to = group[i];
            swap_bodies(bodies, i, to);
            group[i] = group[to];
            group[to] = to;
        }
}
