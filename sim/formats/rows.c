#include "sim/formats/rows.h"

#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 4096 };

size_t body_rows_columns(size_t bodies)
{
    enum { PART = 4 };
    return (size_t)(machine_memory() / PART / sizeof(double) / (bodies > 0 ? bodies : 1));
}

void body_rows_fit(struct snapshot *snapshot, struct body_columns *columns, size_t bodies)
{
    const size_t most = body_rows_columns(bodies), count = columns->count;
    while (columns->count > most) {
        snapshot_leave(snapshot, columns->list[columns->count - 1].name);
        body_columns_remove(columns, columns->count - 1);
    }
    if (columns->count < count)
        log_warning("%zu columns of %zu bodies take more than a quarter of the machine's memory: "
                    "%zu of them are read",
                    count, bodies, columns->count);
}

static enum status make_room(struct body_rows *rows, size_t room)
{
    struct snapshot *snapshot = rows->snapshot;
    body_rows_fit(snapshot, &snapshot->bodies->columns, room);
    enum status status = bodies_make_room(snapshot->bodies, room);
    if (status != STATUS_OK)
        return status;
    if (rows->has_galaxies) {
        uint32_t *group = reallocarray(snapshot->group, room, sizeof *group);
        if (!group)
            return status_fail(STATUS_RUNTIME, "the galaxies of %zu bodies do not fit in memory",
                               room);
        snapshot->group = group;
    }
    rows->room = room;
    return STATUS_OK;
}

enum status body_rows_reach(struct body_rows *rows, size_t needed)
{
    if (needed <= rows->room)
        return STATUS_OK;
    return make_room(rows, needed > 2 * rows->room ? needed : 2 * rows->room);
}

enum status body_rows_add_galaxies(struct body_rows *rows)
{
    rows->has_galaxies = true;
    return make_room(rows, rows->room);
}

struct body_columns *body_rows_further(struct body_rows *rows)
{
    struct bodies *bodies = rows->snapshot->bodies;
    return bodies ? &bodies->columns : &rows->further;
}

enum status body_rows_begin(struct body_rows *rows, struct snapshot *snapshot, size_t expected)
{
    const size_t room = expected > FIRST_ROOM ? expected : FIRST_ROOM;
    rows->snapshot = snapshot;
    enum status status = bodies_create(&snapshot->bodies, room, 1);
    if (status == STATUS_OK && rows->has_ids)
        status = bodies_add_ids(snapshot->bodies, room);
    if (status == STATUS_OK) {
        snapshot->bodies->columns = rows->further;
        rows->further = (struct body_columns){0};
        status = make_room(rows, room);
    }
    if (status == STATUS_OK)
        snapshot->bodies->count = 0;
    return status;
}

void body_rows_leave_ids(struct body_rows *rows)
{
    rows->has_ids = false;
    snapshot_leave_ids(rows->snapshot);
}

void body_rows_refuse_id(struct body_rows *rows, const char *path, uint64_t row, double id)
{
    log_info(
        "%s: the ids are not read, because that of row %llu, %.17g, is not a whole number from 0 "
        "to 2^64 - 1, or may have been rounded as a float",
        path, (unsigned long long)row, id);
    body_rows_leave_ids(rows);
}

enum status body_rows_add(struct body_rows *rows, const struct body_row *row)
{
    struct bodies *bodies = rows->snapshot->bodies;
    const size_t at = bodies->count;
    if (at >= BODY_ROWS_MAX)
        return status_fail(STATUS_USAGE,
                           "a bodies file may hold at most %d bodies, and this one has more; use a "
                           "smaller file",
                           (int)BODY_ROWS_MAX);
    enum status status = at < rows->room ? STATUS_OK : make_room(rows, 2 * rows->room);
    if (status != STATUS_OK)
        return status;
    bodies->mass[at] = row->mass;
    memcpy(bodies->position[at], row->position, sizeof row->position);
    memcpy(bodies->velocity[at], row->velocity, sizeof row->velocity);
    if (bodies->id)
        bodies->id[at] = row->id;
    for (size_t c = 0; c < bodies->columns.count; c++)
        bodies->columns.list[c].value[at] = row->further[c];
    if (rows->has_galaxies)
        rows->snapshot->group[at] = row->galaxy;
    bodies->count++;
    return STATUS_OK;
}

static void name_galaxies(struct bodies *bodies)
{
    bodies->component_count = BODY_GALAXIES;
    bodies->components = memory_grow(bodies->components, BODY_GALAXIES, sizeof *bodies->components);
    for (size_t g = 0; g < BODY_GALAXIES; g++) {
        struct component *component = &bodies->components[g];
        *component = (struct component){.name = "", .draw = true, .light = 1};
        snprintf(component->name, BODIES_NAME_MAX, "galaxy %zu", g);
        memcpy(component->galaxy, component->name, BODIES_NAME_MAX);
    }
}

void body_rows_end(struct body_rows *rows)
{
    struct bodies *bodies = rows->snapshot->bodies;
    if (bodies->count > 0 && bodies_make_room(bodies, bodies->count) == STATUS_OK)
        rows->room = bodies->count;
    if (rows->has_galaxies)
        name_galaxies(bodies);
    else
        snapshot_name_all(rows->snapshot);
}

enum status body_rows_check(const char *path, uint64_t count)
{
    if (count == 0)
        return status_fail(STATUS_USAGE, "%s holds no bodies", path);
    if (count > BODY_ROWS_MAX)
        return status_fail(STATUS_USAGE,
                           "%s says that it holds %llu bodies, and at most %d can be read; use a "
                           "smaller file",
                           path, (unsigned long long)count, (int)BODY_ROWS_MAX);
    return STATUS_OK;
}
