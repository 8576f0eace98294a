#include "sim/formats/snapshot.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/bodies/components.h"
#include "sim/bodies/edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
                       "%s: body %zu has a mass, position or velocity that is not a finite number; "
                       "save it again without that body",
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
