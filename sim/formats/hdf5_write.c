#include "sim/formats/hdf5.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/part.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/formats/bytes.h"
#include "sim/formats/further.h"
#include "sim/formats/snapshot.h"
#include "sim/formats/units.h"
#include "sim/hdf5/store.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GYR 3.15576e16 /* in seconds */

enum { TYPES = SPECIES_COUNT, BLOCK = 1 << 16 };

enum field { COORDINATES, VELOCITIES, MASSES, IDS, FIELDS };

static const struct {
    const char *name;
    size_t columns; /* 0: one number per row */
} fields[FIELDS] = {
    [COORDINATES] = {"Coordinates", 3},
    [VELOCITIES] = {"Velocities", 3},
    [MASSES] = {"Masses", 0},
    [IDS] = {"ParticleIDs", 0},
};

/* How the numbers of each field are stored. */
struct kinds {
    enum store_kind of[FIELDS];
};

static const double *column(const struct bodies *bodies, enum field field)
{
    return field == MASSES       ? bodies->mass
           : field == VELOCITIES ? bodies->velocity[0]
                                 : bodies->position[0];
}

static size_t width(enum field field)
{
    return fields[field].columns > 0 ? fields[field].columns : 1;
}

static struct kinds choose_kinds(const struct snapshot *snapshot)
{
    struct kinds kinds = {{[IDS] = STORE_WHOLE}};
    for (enum field f = COORDINATES; f < IDS; f++) {
        const bool narrow =
            !snapshot->bodies->shared && snapshot_narrow(snapshot, column(snapshot->bodies, f),
                                                         snapshot->bodies->count * width(f));
        kinds.of[f] = narrow ? STORE_FLOATS : STORE_DOUBLES;
    }
    return kinds;
}

static bool put_box(struct store *store, const double box[3])
{
    return box[0] == box[1] && box[0] == box[2]
               ? store_put_number(store, "Header", "BoxSize", box[0])
               : store_put_numbers(store, "Header", "BoxSize", box, 3);
}

static bool put_header(struct store *store, const struct snapshot *snapshot,
                       const size_t count[TYPES], const struct kinds *kinds)
{
    static const char *const zeros[] = {"Redshift", "Omega0", "OmegaLambda"};
    static const char *const flags[] = {"Flag_Sfr",        "Flag_Feedback", "Flag_Cooling",
                                        "Flag_StellarAge", "Flag_Metals",   "Flag_Entropy_ICs"};
    const double masses[TYPES] = {0};
    const struct bodies *bodies = snapshot->bodies;
    uint64_t all[TYPES] = {0};
    uint32_t here[TYPES], low[TYPES], high[TYPES];
    for (size_t c = 0; c < bodies->component_count; c++)
        all[species_of(&bodies->components[c])] += component_whole(&bodies->components[c]);
    for (unsigned t = 0; t < TYPES; t++) {
        here[t] = (uint32_t)count[t];
        low[t] = (uint32_t)all[t];
        high[t] = (uint32_t)(all[t] >> 32);
    }
    bool good = store_put_group(store, "Header") &&
                store_put_counts(store, "Header", "NumPart_ThisFile", here, TYPES) &&
                store_put_counts(store, "Header", "NumPart_Total", low, TYPES) &&
                store_put_counts(store, "Header", "NumPart_Total_HighWord", high, TYPES) &&
                store_put_numbers(store, "Header", "MassTable", masses, TYPES) &&
                store_put_number(store, "Header", "Time", snapshot->time) &&
                put_box(store, snapshot->box) &&
                store_put_number(store, "Header", "HubbleParam", 1) &&
                store_put_int(store, "Header", "NumFilesPerSnapshot",
                              bodies->shared ? (int32_t)snapshot->parts : 1) &&
                store_put_int(store, "Header", "Flag_DoublePrecision",
                              kinds->of[COORDINATES] == STORE_DOUBLES);
    for (size_t i = 0; good && i < sizeof zeros / sizeof *zeros; i++)
        good = store_put_number(store, "Header", zeros[i], 0);
    for (size_t i = 0; good && i < sizeof flags / sizeof *flags; i++)
        good = store_put_int(store, "Header", flags[i], 0);
    const struct snapshot_units *units = &snapshot->units;
    if (good && snapshot->time_known && units->length_cm > 0 && units->velocity_cms > 0)
        good = store_put_number(store, "Header", "Time_GYR", /* pynbody looks here */
                                snapshot->time * units->length_cm / units->velocity_cms / GYR);
    return good;
}

/* With G = 1, the mass follows if the file lacks it. */
static bool put_units(struct store *store, const struct snapshot_units *units)
{
    if (!(units->length_cm > 0 && units->velocity_cms > 0))
        return true;
    const double mass = units->mass_g > 0 ? units->mass_g : units_mass_g(units);
    return store_put_group(store, "Units") &&
           store_put_number(store, "Units", "UnitLength_in_cm", units->length_cm) &&
           store_put_number(store, "Units", "UnitMass_in_g", mass) &&
           store_put_number(store, "Units", "UnitVelocity_in_cm_per_s", units->velocity_cms);
}

static bool put_components(struct store *store, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    char group[64];
    bool good = store_put_group(store, "gravreel") &&
                store_put_text(store, "gravreel", "version", GRAVREEL_VERSION) &&
                store_put_count(store, "gravreel", "components", bodies->component_count) &&
                store_put_count(store, "gravreel", "time_known", snapshot->time_known) &&
                store_put_count(store, "gravreel", "single", snapshot->single);
    for (size_t c = 0; good && c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        snprintf(group, sizeof group, "gravreel/%zu", c);
        good = store_put_group(store, group) &&
               store_put_text(store, group, "name", component->name) &&
               store_put_text(store, group, "galaxy", component->galaxy) &&
               store_put_count(store, group, "PartType", species_of(component)) &&
               store_put_count(store, group, "count", component->count) &&
               store_put_count(store, group, "draw", component->draw) &&
               store_put_number(store, group, "light", component->light) &&
               store_put_number(store, group, "softening", component->softening);
    }
    return good;
}

static bool make_tables(struct store *store, unsigned type, size_t count, const struct kinds *kinds)
{
    char name[64];
    snprintf(name, sizeof name, "PartType%u", type);
    bool good = store_put_group(store, name);
    for (enum field f = COORDINATES; good && f < FIELDS; f++) {
        snprintf(name, sizeof name, "PartType%u/%s", type, fields[f].name);
        good = store_make_table(store, name, count, fields[f].columns, kinds->of[f]);
    }
    return good;
}

static bool fill(struct store *store, unsigned type, enum field field, size_t at, size_t count,
                 const void *values)
{
    char name[64];
    snprintf(name, sizeof name, "PartType%u/%s", type, fields[field].name);
    return store_fill_table(store, name, at, count, values);
}

/* Bodies from `first` on, and the rows of the table from `at` on. */
struct range {
    unsigned type;
    size_t first, count, at;
};

static bool put_floats(struct store *store, const struct range *range, enum field field,
                       const double *values)
{
    const size_t across = width(field);
    float *narrow = memory_new(BLOCK * across, sizeof *narrow);
    bool good = true;
    for (size_t i = 0; good && i < range->count; i += BLOCK) {
        const size_t some = range->count - i < BLOCK ? range->count - i : BLOCK;
        for (size_t k = 0; k < some * across; k++)
            narrow[k] = (float)values[i * across + k];
        good = fill(store, range->type, field, range->at + i, some, narrow);
    }
    free(narrow);
    return good;
}

/* Bodies without ids get the ids that readers of other programs expect. */
static bool put_rows(struct store *store, const struct bodies *bodies, const struct range *range)
{
    uint64_t *row = memory_new(BLOCK, sizeof *row);
    bool good = true;
    for (size_t i = 0; good && i < range->count; i += BLOCK) {
        const size_t some = range->count - i < BLOCK ? range->count - i : BLOCK;
        for (size_t k = 0; k < some; k++)
            row[k] = whole_number(bodies, range->first + i + k) + 1;
        good = fill(store, range->type, IDS, range->at + i, some, row);
    }
    free(row);
    return good;
}

static bool put_range(struct store *store, const struct bodies *bodies, const struct range *range,
                      const struct kinds *kinds)
{
    bool good = true;
    for (enum field f = COORDINATES; good && f < IDS; f++) {
        const double *values = column(bodies, f) + range->first * width(f);
        good = kinds->of[f] == STORE_FLOATS
                   ? put_floats(store, range, f, values)
                   : fill(store, range->type, f, range->at, range->count, values);
    }
    if (good && !bodies->id)
        return put_rows(store, bodies, range);
    return good &&
           fill(store, range->type, IDS, range->at, range->count, bodies->id + range->first);
}

/* An additional column, and the types that have any of its values. */
struct further {
    const struct body_column *column;
    enum store_kind kind;
    bool has[TYPES];
};

static struct further find_further(const struct bodies *bodies, size_t index)
{
    const struct body_column *column = &bodies->columns.list[index];
    struct further further = {
        column,
        !bodies->shared && further_narrow(column, bodies->count) ? STORE_FLOATS : STORE_DOUBLES,
        {false}};
    bool any = bodies->shared; /* all ranks write the same tables */
    for (size_t c = 0; c < bodies->component_count && any; c++)
        further.has[species_of(&bodies->components[c])] = true;
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        for (size_t i = 0; i < component->count; i++)
            if (!isnan(column->value[component->first + i]))
                any = further.has[species_of(component)] = true;
    }
    for (size_t c = 0; c < bodies->component_count && !any; c++) /* no body has a value */
        further.has[species_of(&bodies->components[c])] = bodies->components[c].count > 0;
    return further;
}

static bool put_values(struct store *store, const char *path, const struct further *further,
                       const struct component *component, size_t at)
{
    const double *values = further->column->value + component->first;
    if (further->kind == STORE_DOUBLES)
        return store_fill_table(store, path, at, component->count, values);
    float *narrow = memory_new(BLOCK, sizeof *narrow);
    bool good = true;
    for (size_t i = 0; good && i < component->count; i += BLOCK) {
        const size_t some = component->count - i < BLOCK ? component->count - i : BLOCK;
        for (size_t k = 0; k < some; k++)
            narrow[k] = (float)values[i + k];
        good = store_fill_table(store, path, at + i, some, narrow);
    }
    free(narrow);
    return good;
}

static bool put_further(struct store *store, const struct bodies *bodies, const size_t count[TYPES],
                        const struct further *further)
{
    const struct body_column *column = further->column;
    char path[TYPES][BODY_COLUMN_NAME + 16];
    size_t at[TYPES] = {0};
    bool good = true;
    for (unsigned t = 0; good && t < TYPES; t++) {
        snprintf(path[t], sizeof path[t], "PartType%u/%s", t, column->name);
        if (further->has[t] && count[t] > 0)
            good = store_make_table(store, path[t], count[t], 0, further->kind) &&
                   (!*column->unit || store_put_text(store, path[t], "unit", column->unit));
    }
    for (size_t c = 0; good && c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const unsigned type = species_of(component);
        if (further->has[type] && component->count > 0)
            good = put_values(store, path[type], further, component, at[type]);
        at[type] += component->count;
    }
    return good;
}

static bool put_bodies(struct store *store, const struct bodies *bodies, const size_t count[TYPES],
                       const struct kinds *kinds)
{
    size_t at[TYPES] = {0};
    bool good = true;
    for (unsigned t = 0; good && t < TYPES; t++)
        good = count[t] == 0 || make_tables(store, t, count[t], kinds);
    for (size_t c = 0; good && c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const unsigned type = species_of(component);
        const struct range range = {type, component->first, component->count, at[type]};
        good = range.count == 0 || put_range(store, bodies, &range, kinds);
        at[type] += range.count;
    }
    for (size_t k = 0; good && k < bodies->columns.count; k++) {
        const struct further further = find_further(bodies, k);
        good = put_further(store, bodies, count, &further);
    }
    return good;
}

static bool put_all(int descriptor, const struct snapshot *snapshot)
{
    size_t count[TYPES];
    const struct kinds kinds = choose_kinds(snapshot);
    struct store *store = store_create_on(descriptor, 0);
    if (!store)
        return false;
    species_count(snapshot->bodies, count);
    bool good = put_header(store, snapshot, count, &kinds) && put_units(store, &snapshot->units) &&
                put_components(store, snapshot) &&
                put_bodies(store, snapshot->bodies, count, &kinds);
    good = store_finish(store) && good;
    store_close(&store);
    return good;
}

enum status hdf5_write(const char *path, const struct snapshot *snapshot)
{
    struct part part;
    if (file_is_special(path))
        return status_fail(STATUS_USAGE,
                           "HDF5 cannot be written to %s, which is a pipe or a device; name a file",
                           path);
    if (path[unpacker_stem(path)])
        return status_fail(STATUS_USAGE,
                           "HDF5 is not written packed, as the name %s says; leave the last "
                           "extension out",
                           path);
    const enum status status = part_open(&part, path, false);
    if (status != STATUS_OK)
        return status;
    errno = 0;
    int reason = put_all(part.descriptor, snapshot) ? 0 : errno ? errno : EIO;
    const int closed = part_close(&part, reason == 0 ? path : NULL, true);
    reason = reason ? reason : closed;
    return reason == 0 ? STATUS_OK
                       : status_fail(STATUS_IO, "cannot write '%s': %s", path, strerror(reason));
}
