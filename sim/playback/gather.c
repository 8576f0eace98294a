#include "sim/playback/playback.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/components.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/playback/directory.h"
#include "sim/playback/series.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct gathering {
    struct series series;
    struct ids ids;
    struct directory *directory; /* instead of ids, where each rank has a share of the bodies */
    /* In the order of places: bodies that the first snapshot lacks come later, in order of
     * appearance. */
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
                       "'%s' has two bodies with the id %" PRIu64 ", so they cannot be told "
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

/* A body that the first snapshot lacks. */
struct newcomer {
    uint64_t id;
    double mass, position[3], velocity[3];
    uint32_t component, spare; /* of its snapshot */
};

static struct newcomer newcomer_of(const struct bodies *from, size_t row, size_t component)
{
    struct newcomer body = {
        .id = from->id[row], .mass = from->mass[row], .component = (uint32_t)component};
    memcpy(body.position, from->position[row], sizeof body.position);
    memcpy(body.velocity, from->velocity[row], sizeof body.velocity);
    return body;
}

static enum status add(struct gathering *all, const struct newcomer *body, uint32_t component)
{
    struct bodies *to = all->bodies;
    const size_t at = to->count;
    enum status status = STATUS_OK;
    if (at == all->room)
        status = make_room(all, 2 * at);
    if (status == STATUS_OK && !all->directory)
        status = ids_add(&all->ids, body->id);
    if (status != STATUS_OK)
        return status;
    to->mass[at] = body->mass;
    memcpy(to->position[at], body->position, sizeof *to->position);
    memcpy(to->velocity[at], body->velocity, sizeof *to->velocity);
    to->id[at] = body->id;
    body_columns_lack(&to->columns, at);
    all->component[at] = component;
    all->last[at] = all->seen[at] = 0;
    to->count++;
    return STATUS_OK;
}

static enum status meet(struct gathering *all, size_t k, size_t place)
{
    if (all->last[place] == k + 1)
        return fail_twice(all, k, all->bodies->id[place]);
    all->last[place] = (uint32_t)k + 1;
    all->seen[place]++;
    return STATUS_OK;
}

static enum status begin(struct gathering *all)
{
    struct snapshot first;
    const struct bodies_params *params = all->series.params;
    const struct column_choice choice = {params->all_columns, params->columns, params->kernel,
                                         false};
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
            const struct newcomer body = newcomer_of(bodies, i, 0);
            status = add(all, &body, find_component(all->bodies, component));
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

/* ---- on ranks ---- */

static enum status begin_shared(struct gathering *all)
{
    const struct bodies_params *params = all->series.params;
    const struct column_choice choice = {params->all_columns, params->columns, params->kernel,
                                         false};
    struct snapshot first;
    struct directory_twice twice = {0};
    if (params->component_count > 0)
        return status_fail(STATUS_USAGE, "bodies.components is not available for snapshots on "
                                         "ranks; leave it out, or start one process without "
                                         "mpirun");
    enum status status = series_read_slice(&all->series, 0, &choice, &first);
    if (status != STATUS_OK)
        return status;
    struct bodies *bodies = all->bodies = first.bodies;
    first.bodies = NULL;
    whole_take(bodies, first.whole, (unsigned)ranks_own(), (unsigned)ranks_count());
    snapshot_free(&first);
    status = make_room(all, bodies->count + 1);
    for (size_t c = 0, i = 0; status == STATUS_OK && c < bodies->component_count; c++)
        for (size_t end = i + bodies->components[c].count; i < end; i++) {
            all->component[i] = (uint32_t)c;
            all->last[i] = all->seen[i] = 1;
        }
    if (status == STATUS_OK)
        status = directory_open(&all->directory, bodies->id, bodies->count, &twice);
    return status == STATUS_OK && twice.found ? fail_twice(all, 0, twice.id) : status;
}

/* Collective: counts each known body of the slice, on the rank that has it. */
static enum status meet_shared(struct gathering *all, size_t k, const struct whereabouts *where,
                               size_t count)
{
    uint32_t *places = malloc((count + 1) * sizeof *places), *got = NULL;
    size_t here;
    enum status status =
        places ? STATUS_OK : status_fail(STATUS_RUNTIME, "no memory left for %zu bodies", count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        places[i] = where[i].place;
    if (status == STATUS_OK)
        status = directory_send(places, sizeof *places, where, count, (void **)&got, &here);
    for (size_t i = 0; status == STATUS_OK && i < here; i++)
        status =
            got[i] < all->bodies->count
                ? meet(all, k, got[i])
                : status_fail(STATUS_RUNTIME, "a rank sent place %u, but this rank has %zu bodies",
                              got[i], all->bodies->count);
    free(places);
    free(got);
    return status;
}

/* Collective: finds the component that each of the snapshot's components becomes, if it has
 * newcomers. */
static enum status map_components(struct gathering *all, const struct bodies *bodies,
                                  uint64_t *new_of, uint32_t *becomes)
{
    const enum status status = ranks_sum(new_of, bodies->component_count);
    for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++)
        if (new_of[c] > 0) {
            becomes[c] = find_component(all->bodies, &bodies->components[c]);
            all->bodies->components[becomes[c]].whole += new_of[c];
        }
    return status;
}

/* Collective: gives the bodies that appear in snapshot k to the last rank, so that the ranks' rows
 * of a component stay in order. Overwrites `where`. */
static enum status take_newcomers(struct gathering *all, size_t k, const struct bodies *bodies,
                                  struct whereabouts *where)
{
    const size_t first = all->bodies->count;
    struct newcomer *own = NULL, *got = NULL;
    uint64_t *new_of = memory_new(bodies->component_count + 1, sizeof *new_of);
    struct directory_twice twice = {0};
    uint32_t *becomes = memory_new(bodies->component_count + 1, sizeof *becomes);
    size_t count = 0, fresh = 0, here = 0;
    for (size_t i = 0; i < bodies->count; i++)
        fresh += where[i].rank == DIRECTORY_NOWHERE;
    own = malloc((fresh + 1) * sizeof *own);
    enum status status =
        own ? STATUS_OK : status_fail(STATUS_RUNTIME, "no memory left for %zu bodies", fresh);
    for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++) {
        const struct component *component = &bodies->components[c];
        for (size_t i = component->first; i < component->first + component->count; i++)
            if (where[i].rank == DIRECTORY_NOWHERE) {
                own[count++] = newcomer_of(bodies, i, c);
                new_of[c]++;
            }
    }
    for (size_t i = 0; i < count; i++)
        where[i].rank = (uint32_t)ranks_count() - 1;
    if (status == STATUS_OK)
        status = map_components(all, bodies, new_of, becomes);
    if (status == STATUS_OK)
        status = directory_send(own, sizeof *own, where, count, (void **)&got, &here);
    for (size_t i = 0; i < here && status == STATUS_OK; i++) {
        status = got[i].component < bodies->component_count
                     ? add(all, &got[i], becomes[got[i].component])
                     : status_fail(STATUS_RUNTIME,
                                   "a rank sent a body of component %u, which does not exist",
                                   got[i].component);
        if (status == STATUS_OK)
            status = meet(all, k, first + i);
    }
    if (status == STATUS_OK)
        status = directory_add(all->directory, all->bodies->id + first, here, first, &twice);
    free(own);
    free(got);
    free(new_of);
    free(becomes);
    return status == STATUS_OK && twice.found ? fail_twice(all, k, twice.id) : status;
}

static enum status join_shared(struct gathering *all, size_t k)
{
    struct snapshot next;
    enum status status = series_read_slice(&all->series, k, &(struct column_choice){0}, &next);
    if (status != STATUS_OK)
        return status;
    const size_t count = next.bodies->count;
    struct whereabouts *where = malloc((count + 1) * sizeof *where);
    status =
        where ? STATUS_OK : status_fail(STATUS_RUNTIME, "no memory left for %zu bodies", count);
    if (status == STATUS_OK)
        status = directory_find(all->directory, next.bodies->id, count, where);
    if (status == STATUS_OK)
        status = meet_shared(all, k, where, count);
    if (status == STATUS_OK)
        status = take_newcomers(all, k, next.bodies, where);
    free(where);
    snapshot_free(&next);
    return status;
}

/* Sorts the bodies by component, and keeps components that have no bodies on this rank. */
static void arrange_shared(struct bodies *bodies, uint32_t *component)
{
    const size_t groups = bodies->component_count;
    size_t *size = memory_new(groups, sizeof *size);
    bodies_sort(bodies, component, groups, size);
    for (size_t c = 0, first = 0; c < groups; first += size[c++]) {
        bodies->components[c].first = first;
        bodies->components[c].count = size[c];
    }
    free(size);
}

/* ---- all snapshots ---- */

static enum status weigh(struct gathering *all)
{
    double passing = 0;
    for (size_t i = 0; i < all->bodies->count; i++)
        if (all->seen[i] < all->series.count) {
            all->bodies->mass[i] = 0;
            passing++;
        }
    const enum status status = whole_sum(all->bodies, &passing, 1);
    log_info("%zu snapshots of %llu bodies, from time %.6g to %.6g", all->series.count,
             (unsigned long long)whole_size(bodies_whole(all->bodies)), all->series.files[0].time,
             all->series.files[all->series.count - 1].time);
    if (passing > 0)
        log_info("%.0f of them are not in every snapshot: they are shown between those that have "
                 "them, and count as massless",
                 passing);
    return status;
}

enum status playback_gather(const struct bodies_params *params, struct bodies **out)
{
    struct gathering all = {.room = 0};
    const bool shared = ranks_are_together();
    *out = NULL;
    enum status status = series_open(&all.series, params);
    if (status == STATUS_OK)
        status = shared ? begin_shared(&all) : begin(&all);
    for (size_t k = 1; k < all.series.count && status == STATUS_OK; k++)
        status = shared ? join_shared(&all, k) : join(&all, k);
    if (status == STATUS_OK)
        status = weigh(&all);
    if (status == STATUS_OK) {
        if (shared)
            arrange_shared(all.bodies, all.component);
        else
            bodies_arrange_own(all.bodies, all.component);
        *out = all.bodies;
        all.bodies = NULL;
    }
    series_close(&all.series);
    ids_close(&all.ids);
    directory_close(&all.directory);
    bodies_destroy(&all.bodies);
    free(all.component);
    free(all.last);
    free(all.seen);
    return status;
}
