/* A set lies in the group data/0000000001 (version 2 of the store) or particles/0000000001
 * (version 1), the last one being the newest: a dataset `keys` and a group `attributes` with a
 * dataset for each quantity, whose unit is the attribute `units` (amuse.io.store_v2). */
#include "sim/formats/hdf5.h"

#include "base/memory.h"
#include "sim/formats/column_units.h"
#include "sim/formats/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* kg, m and m/s are 1,000 g, 100 cm and 100 cm/s in CGS. */
enum kind { MASS, LENGTH, VELOCITY, KINDS };
static const struct {
    const char *what;
    int mass, length, time;
    double cgs;
} kinds[KINDS] = {
    {"a mass", 1, 0, 0, 1e3}, {"a length", 0, 1, 0, 1e2}, {"a velocity", 0, 1, -1, 1e2}};

static const struct {
    const char *name;
    enum kind kind;
} fields[] = {{"mass", MASS},   {"x", LENGTH},    {"y", LENGTH},   {"z", LENGTH},
              {"vx", VELOCITY}, {"vy", VELOCITY}, {"vz", VELOCITY}};
enum { FIELDS = sizeof fields / sizeof *fields };

enum { PATH = 192 };

struct set {
    struct hdf5_file *file;
    const char *path;
    char group[PATH];
    double unit[FIELDS]; /* in CGS, or in an unknown system */
    bool scaleless;
};

static enum status find_set(struct set *set, bool *found)
{
    static const char *const roots[] = {"data", "particles"};
    char last[HDF5_TEXT_MAX], name[PATH + 16];
    enum status status = STATUS_OK;
    *found = false;
    for (size_t i = 0; i < sizeof roots / sizeof *roots && status == STATUS_OK && !*found; i++) {
        struct hdf5_table keys;
        status = hdf5_last(set->file, roots[i], last);
        if (status != STATUS_OK || !*last || strlen(last) > PATH / 2)
            continue;
        snprintf(set->group, sizeof set->group, "%s/%.100s", roots[i], last);
        snprintf(name, sizeof name, "%s/keys", set->group);
        status = hdf5_table(set->file, name, &keys);
        *found = status == STATUS_OK && keys.found && keys.columns == 1;
    }
    return status;
}

static void field_name(const struct set *set, size_t field, char out[PATH + 32])
{
    snprintf(out, PATH + 32, "%s/attributes/%s", set->group, fields[field].name);
}

static enum status check_field(struct set *set, size_t field, uint64_t rows)
{
    char name[PATH + 32];
    struct hdf5_table table;
    struct hdf5_attribute text;
    struct amuse_unit unit;
    const enum kind kind = fields[field].kind;
    field_name(set, field, name);
    enum status status = hdf5_table(set->file, name, &table);
    if (status == STATUS_OK && !table.found)
        return status_fail(STATUS_USAGE, "%s: the particles of AMUSE have no %s", set->path,
                           fields[field].name);
    if (status == STATUS_OK && (table.rows != rows || table.columns != 1))
        return status_fail(STATUS_USAGE, "%s: %s has %llu rows and %u columns for %llu particles",
                           set->path, name, (unsigned long long)table.rows, table.columns,
                           (unsigned long long)rows);
    if (status == STATUS_OK)
        status = hdf5_attribute(set->file, name, "units", &text);
    if (status != STATUS_OK)
        return status;
    if (!amuse_unit_read(text.text, &unit) || unit.mass != kinds[kind].mass ||
        unit.length != kinds[kind].length || unit.time != kinds[kind].time)
        return status_fail(STATUS_USAGE,
                           "%s: %s is in '%s', which gravreel does not know as %s; convert it in "
                           "AMUSE to SI or N-body units first",
                           set->path, name, text.text, kinds[kind].what);
    set->unit[field] = unit.factor * (unit.scaleless ? 1 : kinds[kind].cgs);
    if (field > 0 && unit.scaleless != set->scaleless)
        return status_fail(STATUS_USAGE, "%s: some of its units are SI and some are N-body units",
                           set->path);
    set->scaleless = unit.scaleless;
    return status;
}

/* The unit of a kind is that of its first quantity. */
static void name_units(const struct set *set, struct snapshot *out)
{
    if (!set->scaleless)
        out->units = (struct snapshot_units){set->unit[1], set->unit[0], set->unit[4]};
}

static enum status read_time(const struct set *set, struct snapshot *out)
{
    struct hdf5_attribute value, text;
    struct amuse_unit unit;
    enum status status = hdf5_attribute(set->file, set->group, "timestamp", &value);
    if (status == STATUS_OK)
        status = hdf5_attribute(set->file, set->group, "timestamp_unit", &text);
    if (status != STATUS_OK || value.count != 1 || !isfinite(value.number[0]) ||
        !amuse_unit_read(text.text, &unit) || unit.time != 1 || unit.mass != 0 ||
        unit.length != 0 || unit.scaleless != set->scaleless)
        return status;
    out->time_known = true;
    out->time = value.number[0] * unit.factor / (set->unit[1] / set->unit[4]);
    return status;
}

/* Notes the names of the other attributes. */
static enum status note_unread(const struct set *set, struct snapshot *out)
{
    enum { MEMBERS_MAX = 256 };
    char group[PATH + 32], name[HDF5_TEXT_MAX] = "";
    enum status status = STATUS_OK;
    snprintf(group, sizeof group, "%s/attributes", set->group);
    for (uint64_t k = 0; k < MEMBERS_MAX && status == STATUS_OK; k++) {
        status = hdf5_member(set->file, group, k, name);
        size_t f = 0;
        while (f < FIELDS && strcmp(name, fields[f].name) != 0)
            f++;
        if (status != STATUS_OK || !*name)
            break;
        if (f == FIELDS)
            snapshot_leave(out, name);
    }
    return status;
}

static enum status read_columns(const struct set *set, struct snapshot *out)
{
    struct bodies *bodies = out->bodies;
    char name[PATH + 32];
    uint64_t good = 0;
    enum status status = STATUS_OK;
    for (size_t f = 0; f < FIELDS && status == STATUS_OK; f++) {
        const enum kind kind = fields[f].kind;
        double *to = kind == MASS     ? bodies->mass
                     : kind == LENGTH ? bodies->position[0] + (f - 1)
                                      : bodies->velocity[0] + (f - 4);
        const size_t step = kind == MASS ? 1 : 3, first = kind == MASS ? 0 : kind == LENGTH ? 1 : 4;
        field_name(set, f, name);
        status = hdf5_numbers(set->file, name, 0, bodies->count, to, step, kind == MASS);
        if (status != STATUS_OK || set->unit[f] == set->unit[first])
            continue;
        for (size_t i = 0; i < bodies->count; i++)
            to[i * step] *= set->unit[f] / set->unit[first];
    }
    if (status == STATUS_OK)
        status = note_unread(set, out);
    snprintf(name, sizeof name, "%s/keys", set->group);
    if (status == STATUS_OK)
        status = hdf5_ids(set->file, name, 0, bodies->count, bodies->id, &good);
    return status == STATUS_OK ? snapshot_check_ids(out, set->path, name, good, bodies->count)
                               : status;
}

/* Reads everything except the columns. */
static enum status look(struct set *set, struct snapshot *out, uint64_t *rows, bool *found)
{
    struct hdf5_table keys = {.found = false};
    char name[PATH + 16];
    *rows = 0;
    enum status status = find_set(set, found);
    if (status != STATUS_OK || !*found)
        return status;
    snprintf(name, sizeof name, "%s/keys", set->group);
    status = hdf5_table(set->file, name, &keys);
    if (status == STATUS_OK)
        status = body_rows_check(set->path, keys.rows);
    for (size_t f = 0; f < FIELDS && status == STATUS_OK; f++)
        status = check_field(set, f, keys.rows);
    *rows = keys.rows;
    name_units(set, out);
    return status == STATUS_OK ? read_time(set, out) : status;
}

enum status hdf5_amuse_units(struct hdf5_file *file, const char *path, struct snapshot *out,
                             bool *found)
{
    struct set set = {.file = file, .path = path};
    uint64_t rows;
    return look(&set, out, &rows, found);
}

enum status hdf5_amuse_read(struct hdf5_file *file, const char *path, struct snapshot *out,
                            bool *found)
{
    struct set set = {.file = file, .path = path};
    uint64_t rows;
    enum status status = look(&set, out, &rows, found);
    if (status != STATUS_OK || !*found)
        return status;
    status = bodies_create(&out->bodies, rows, 1);
    if (status == STATUS_OK)
        status = bodies_add_ids(out->bodies, rows);
    if (status != STATUS_OK)
        return status;
    snapshot_name_all(out);
    return read_columns(&set, out);
}
