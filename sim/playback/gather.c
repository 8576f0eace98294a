#include "sim/playback/gather.h"

#include "base/log.h"
#include "base/memory.h"
#include "sim/bodies/components.h"
#include "sim/playback/ids.h"
#include "sim/playback/series.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct gathering {
    struct series series;
    struct ids ids;
    /* By place. Bodies that the first snapshot lacks come later, in order of appearance. */
    struct bodies *bodies;
    uint32_t *component; /* [room] of bodies->components */
    uint32_t *last;      /* [room]: number of the last snapshot that has it, from 1 */
    uint32_t *seen;      /* [room]: number of snapshots that have it */
    size_t room;
};

static enum status make_room(struct gathering *all, size_t room)
{
    uint32_t **const columns[] = {&all->component, &all->last, &all->seen};
    enum status status = bodies_make_room(all->bodies, room);
    for (size_t i = 0; i < 3 && status == STATUS_OK; i++) {
        uint32_t *larger = realloc(*columns[i], room * sizeof *larger);
        if (larger)
            *columns[i] = larger;
        else
            status =
                status_fail(STATUS_RUNTIME, "no memory left for %zu bodies of the snapshots", room);
    }
    if (status == STATUS_OK)
        all->room = room;
    return status;
}

static enum status fail_twice(const struct gathering *all, size_t k, uint64_t id)
{
    return status_fail(STATUS_USAGE,
                       "'%s' has two bodies with the id %" PRIu64 ", so that they cannot be told "
                       "apart from snapshot to snapshot",
                       all->series.files[k].path, id);
}

/* The component with that name in all snapshots; appended if there is none. */
static uint32_t find_component(struct bodies *bodies, const struct component *like)
{
    size_t c = 0;
    while (c < bodies->component_count && strcmp(bodies->components[c].name, like->name) != 0)
        c++;
    if (c < bodies->component_count)
        return (uint32_t)c;
    struct component *more = memory_new(c + 1, sizeof *more);
    memcpy(more, bodies->components, c * sizeof *more);
    more[c] = *like;
    more[c].count = 0;
    free(bodies->components);
    bodies->components = more;
    bodies->component_count++;
    return (uint32_t)c;
}

static enum status add(struct gathering *all, const struct bodies *from, size_t row,
                       uint32_t component)
{
    struct bodies *to = all->bodies;
    const size_t at = to->count;
    enum status status = STATUS_OK;
    if (at == all->room)
        status = make_room(all, 2 * at);
    if (status == STATUS_OK)
        status = ids_add(&all->ids, from->id[row]);
    if (status != STATUS_OK)
        return status;
    to->mass[at] = from->mass[row];
    memcpy(to->position[at], from->position[row], sizeof *to->position);
    memcpy(to->velocity[at], from->velocity[row], sizeof *to->velocity);
    to->id[at] = from->id[row];
    body_columns_lack(&to->columns, at);
    all->component[at] = component;
    all->last[at] = all->seen[at] = 0;
    to->count++;
    return STATUS_OK;
}

static enum status meet(struct gathering *all, size_t k, size_t place)
{
    if (all->last[place] == k + 1)
        return fail_twice(all, k, all->ids.id[place]);
    all->last[place] = (uint32_t)k + 1;
    all->seen[place]++;
    return STATUS_OK;
}

static enum status begin(struct gathering *all)
{
    struct snapshot first;
    const struct bodies_params *params = all->series.params;
    const struct column_choice choice = {params->all_columns, params->columns, params->kernel};
    enum status status = series_read(&all->series, 0, &choice, &first);
    if (status != STATUS_OK)
        return status;
    struct bodies *bodies = all->bodies = first.bodies;
    first.bodies = NULL;
    status = bodies_arrange(bodies, params, first.group);
    snapshot_free(&first);
    if (status == STATUS_OK)
        status = make_room(all, bodies->count);
    if (status == STATUS_OK)
        status = ids_open(&all->ids, bodies->count);
    for (size_t c = 0, i = 0; status == STATUS_OK && c < bodies->component_count; c++)
        for (size_t end = i + bodies->components[c].count; i < end && status == STATUS_OK; i++) {
            all->component[i] = (uint32_t)c;
            all->last[i] = all->seen[i] = 1;
            if (ids_find(&all->ids, bodies->id[i], SIZE_MAX) != SIZE_MAX)
                return fail_twice(all, 0, bodies->id[i]);
            status = ids_add(&all->ids, bodies->id[i]);
        }
    return status;
}

static enum status join_component(struct gathering *all, size_t k, const struct bodies *bodies,
                                  const struct component *component)
{
    const bool takes_new = all->series.params->component_count == 0;
    enum status status = STATUS_OK;
    size_t guess = 0;
    for (size_t i = component->first;
         status == STATUS_OK && i < component->first + component->count; i++) {
        size_t place = ids_find(&all->ids, bodies->id[i], guess);
        if (place == SIZE_MAX && !takes_new)
            continue;
        if (place == SIZE_MAX) {
            place = all->bodies->count;
            status = add(all, bodies, i, find_component(all->bodies, component));
        }
        if (status == STATUS_OK)
            status = meet(all, k, place);
        guess = place + 1;
    }
    return status;
}

static enum status join(struct gathering *all, size_t k)
{
    struct snapshot next;
    enum status status = series_read(&all->series, k, &(struct column_choice){0}, &next);
    if (status != STATUS_OK)
        return status;
    bodies_arrange_own(next.bodies, next.group);
    for (size_t c = 0; c < next.bodies->component_count && status == STATUS_OK; c++)
        status = join_component(all, k, next.bodies, &next.bodies->components[c]);
    snapshot_free(&next);
    return status;
}

static void weigh(struct gathering *all)
{
    size_t passing = 0;
    for (size_t i = 0; i < all->bodies->count; i++)
        if (all->seen[i] < all->series.count) {
            all->bodies->mass[i] = 0;
            passing++;
        }
    log_info("%zu snapshots of %zu bodies, from time %.6g to %.6g", all->series.count,
             all->bodies->count, all->series.files[0].time,
             all->series.files[all->series.count - 1].time);
    if (passing > 0)
        log_info("%zu of them are not in every snapshot: they are shown between those that have "
                 "them, and count as massless",
                 passing);
}

enum status playback_gather(const struct bodies_params *params, struct bodies **out)
{
    struct gathering all = {.room = 0};
    *out = NULL;
    enum status status = series_open(&all.series, params);
    if (status == STATUS_OK)
        status = begin(&all);
    for (size_t k = 1; k < all.series.count && status == STATUS_OK; k++)
        status = join(&all, k);
    if (status == STATUS_OK) {
        weigh(&all);
        bodies_arrange_own(all.bodies, all.component);
        *out = all.bodies;
        all.bodies = NULL;
    }
    series_close(&all.series);
    ids_close(&all.ids);
    bodies_destroy(&all.bodies);
    free(all.component);
    free(all.last);
    free(all.seen);
    return status;
}
