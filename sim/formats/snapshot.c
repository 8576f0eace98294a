#include "sim/formats/snapshot.h"

#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/bodies/components.h"
#include "sim/bodies/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum status snapshot_check_ids(struct snapshot *snapshot, const char *path, const char *name,
                               uint64_t good, uint64_t rows)
{
    static const char why[] = "is not a whole number from 0 to 2^64 - 1, or may have been rounded "
                              "as a float";
    if (good == rows)
        return STATUS_OK;
    if (snapshot->parts > 0)
        return status_fail(STATUS_USAGE,
                           "%s: number %llu of %s %s; several processes need ids that are, or none",
                           path, (unsigned long long)good + 1, name, why);
    log_info("%s: the ids are not read, because number %llu of %s %s", path,
             (unsigned long long)good + 1, name, why);
    snapshot_leave_ids(snapshot);
    return STATUS_OK;
}

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

size_t snapshot_begin(const struct snapshot *snapshot, size_t rows)
{
    return snapshot->parts > 0 ? share_begin(rows, snapshot->part, snapshot->parts) : 0;
}

/* The number of a component's rows that are read. */
static size_t rows_of_slice(const struct snapshot *snapshot, size_t rows)
{
    return snapshot->parts > 0 ? share_begin(rows, snapshot->part + 1, snapshot->parts) -
                                     snapshot_begin(snapshot, rows)
                               : rows;
}

static void keep_counts(struct snapshot *snapshot, const struct component *components, size_t count)
{
    snapshot->whole = memory_new(count, sizeof *snapshot->whole);
    for (size_t c = 0; c < count; c++)
        snapshot->whole[c] = components[c].count;
}

enum status snapshot_create(struct snapshot *snapshot, const struct component *components,
                            size_t count)
{
    size_t rows = 0;
    for (size_t c = 0; c < count; c++)
        rows += rows_of_slice(snapshot, components[c].count);
    const enum status status = bodies_create(&snapshot->bodies, rows, count);
    if (status != STATUS_OK)
        return status;
    if (snapshot->parts > 0)
        keep_counts(snapshot, components, count);
    for (size_t c = 0, first = 0; c < count; c++) {
        struct component *component = &snapshot->bodies->components[c];
        *component = components[c];
        component->first = first;
        component->count = rows_of_slice(snapshot, components[c].count);
        first += component->count;
    }
    return STATUS_OK;
}

enum status snapshot_slice(struct snapshot *snapshot)
{
    struct bodies *bodies = snapshot->bodies;
    if (!snapshot->whole) {
        snapshot_sort(snapshot);
        keep_counts(snapshot, bodies->components, bodies->component_count);
        return bodies_slice(bodies, snapshot->part, snapshot->parts);
    }
    size_t kept = 0;
    for (size_t c = 0; c < bodies->component_count; c++)
        if (snapshot->whole[c] > 0) {
            snapshot->whole[kept] = snapshot->whole[c];
            bodies->components[kept++] = bodies->components[c];
        }
    bodies->component_count = kept;
    return STATUS_OK;
}

/* Appends a name to "rho, temp" unless it is there. */
static void list_name(char **list, const char *name)
{
    const size_t length = strlen(name);
    if (length == 0)
        return;
    for (const char *at = *list; at && (at = strstr(at, name)); at += length)
        if ((at == *list || at[-1] == ' ') && (at[length] == ',' || !at[length]))
            return;
    char *longer = *list ? text_format("%s, %s", *list, name) : memory_text(name);
    free(*list);
    *list = longer;
}

void snapshot_leave(struct snapshot *snapshot, const char *name)
{
    list_name(&snapshot->unread, name);
}

void snapshot_round(struct snapshot *snapshot, const char *name)
{
    log_info_once("the column %s has whole numbers beyond 2^53, which are rounded", name);
    list_name(&snapshot->rounded, name);
}

void snapshot_leave_ids(struct snapshot *snapshot)
{
    if (snapshot->bodies) {
        free(snapshot->bodies->id);
        snapshot->bodies->id = NULL;
    }
    snapshot_leave(snapshot, "id");
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
    free(snapshot->rounded);
    free(snapshot->whole);
    *snapshot = (struct snapshot){.bodies = NULL};
}

static enum status refuse(const struct bodies *bodies, size_t i, size_t row, const char *path)
{
    if (bodies->mass[i] < 0)
        return status_fail(STATUS_USAGE,
                           "%s: the mass of body %zu is %g; masses cannot be negative", path,
                           row + 1, bodies->mass[i]);
    return status_fail(STATUS_USAGE,
                       "%s: body %zu (counted from 1) has a mass, position or velocity that is not "
                       "a finite number; leave that body out",
                       path, row + 1);
}

enum status bodies_check(const struct bodies *bodies, size_t first, size_t count, size_t row,
                         const char *path)
{
    for (size_t i = first; i < first + count; i++) {
        const double *x = bodies->position[i], *v = bodies->velocity[i];
        /* finite numbers times 0 add up to 0, anything else to NaN */
        const double none =
            0 * x[0] + 0 * x[1] + 0 * x[2] + 0 * v[0] + 0 * v[1] + 0 * v[2] + 0 * bodies->mass[i];
        if (!(none == 0) || bodies->mass[i] < 0)
            return refuse(bodies, i, row + (i - first), path);
    }
    return STATUS_OK;
}

/* ---- species ---- */

const char *const species_names[SPECIES_COUNT + 1] = {"gas",   "halo",     "disk", "bulge",
                                                      "stars", "boundary", NULL};

static const struct {
    const char *name;
    enum species species;
} others[] = {
    {"dark", SPECIES_HALO},
    {"dark matter", SPECIES_HALO},
    {"star", SPECIES_STARS},
    {"bndry", SPECIES_BOUNDARY},
    {"disc", SPECIES_DISK},
    {"sph", SPECIES_GAS},
    {"black holes", SPECIES_BOUNDARY},
    {"sinks", SPECIES_BOUNDARY},
};

enum species species_of(const struct component *component)
{
    for (int s = 0; s < SPECIES_COUNT; s++)
        if (strcasecmp(component->name, species_names[s]) == 0)
            return (enum species)s;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcasecmp(component->name, others[i].name) == 0)
            return others[i].species;
    return SPECIES_HALO;
}

void species_hide_haloes(struct bodies *bodies)
{
    bool other = false;
    for (size_t c = 0; c < bodies->component_count; c++)
        other |=
            bodies->components[c].count > 0 && species_of(&bodies->components[c]) != SPECIES_HALO;
    for (size_t c = 0; c < bodies->component_count; c++)
        bodies->components[c].draw = !other || species_of(&bodies->components[c]) != SPECIES_HALO;
}

void species_make_components(struct bodies *bodies, const size_t count[SPECIES_COUNT])
{
    size_t first = 0;
    free(bodies->components);
    bodies->component_count = SPECIES_COUNT;
    bodies->components = memory_new(SPECIES_COUNT, sizeof *bodies->components);
    for (int s = 0; s < SPECIES_COUNT; s++) {
        struct component *component = &bodies->components[s];
        *component = (struct component){.first = first, .count = count[s], .light = 1};
        snprintf(component->name, BODIES_NAME_MAX, "%s", species_names[s]);
        first += count[s];
    }
    species_hide_haloes(bodies);
}

void species_count(const struct bodies *bodies, size_t count[SPECIES_COUNT])
{
    for (int s = 0; s < SPECIES_COUNT; s++)
        count[s] = 0;
    for (size_t c = 0; c < bodies->component_count; c++)
        count[species_of(&bodies->components[c])] += bodies->components[c].count;
}

/* The first body of the species in component *c or a later one. */
static size_t seek(const struct bodies *bodies, enum species species, size_t *c)
{
    for (; *c < bodies->component_count; ++*c)
        if (bodies->components[*c].count > 0 && species_of(&bodies->components[*c]) == species)
            return bodies->components[*c].first;
    return bodies->count;
}

size_t species_first(const struct bodies *bodies, enum species species, size_t *component)
{
    *component = 0;
    return seek(bodies, species, component);
}

size_t species_next(const struct bodies *bodies, enum species species, size_t *component, size_t i)
{
    const struct component *now = &bodies->components[*component];
    if (i + 1 < now->first + now->count)
        return i + 1;
    ++*component;
    return seek(bodies, species, component);
}

/* ---- rows ---- */

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
