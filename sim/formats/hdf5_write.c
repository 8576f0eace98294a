#include "sim/formats/hdf5_write.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/part.h"
#include "sim/formats/species.h"
#include "sim/formats/units.h"
#include "sim/formats/unpack.h"
#include "sim/hdf5/store.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GYR 3.15576e16 /* in seconds */

enum { TYPES = SPECIES_COUNT, BLOCK = 1 << 16 };

static bool put_header(struct store *store, const struct snapshot *snapshot,
                       const size_t count[TYPES])
{
    static const char *const zeros[] = {"Redshift", "Omega0", "OmegaLambda"};
    static const char *const flags[] = {"Flag_Sfr",        "Flag_Feedback", "Flag_Cooling",
                                        "Flag_StellarAge", "Flag_Metals",   "Flag_Entropy_ICs"};
    const double masses[TYPES] = {0};
    uint32_t low[TYPES], high[TYPES];
    for (unsigned t = 0; t < TYPES; t++) {
        low[t] = (uint32_t)count[t];
        high[t] = (uint32_t)((uint64_t)count[t] >> 32);
    }
    bool good = store_put_group(store, "Header") &&
                store_put_counts(store, "Header", "NumPart_ThisFile", low, TYPES) &&
                store_put_counts(store, "Header", "NumPart_Total", low, TYPES) &&
                store_put_counts(store, "Header", "NumPart_Total_HighWord", high, TYPES) &&
                store_put_numbers(store, "Header", "MassTable", masses, TYPES) &&
                store_put_number(store, "Header", "Time", snapshot->time) &&
                store_put_number(store, "Header", "BoxSize", snapshot->box) &&
                store_put_number(store, "Header", "HubbleParam", 1) &&
                store_put_int(store, "Header", "NumFilesPerSnapshot", 1) &&
                store_put_int(store, "Header", "Flag_DoublePrecision", 1);
    for (size_t i = 0; good && i < sizeof zeros / sizeof *zeros; i++)
        good = store_put_number(store, "Header", zeros[i], 0);
    for (size_t i = 0; good && i < sizeof flags / sizeof *flags; i++)
        good = store_put_int(store, "Header", flags[i], 0);
    const struct snapshot_units *units = &snapshot->units;
    if (good && snapshot->time_known && units->length_cm > 0 && units->velocity_cms > 0)
        good = store_put_number(store, "Header", "Time_GYR", /* where pynbody looks for it */
                                snapshot->time * units->length_cm / units->velocity_cms / GYR);
    return good;
}

/* G = 1 gives the mass where the file does not. */
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

static bool make_tables(struct store *store, unsigned type, size_t count)
{
    static const struct {
        const char *name;
        size_t columns;
        bool whole;
    } fields[] = {{"Coordinates", 3, false},
                  {"Velocities", 3, false},
                  {"Masses", 0, false},
                  {"ParticleIDs", 0, true}};
    char name[64];
    snprintf(name, sizeof name, "PartType%u", type);
    bool good = store_put_group(store, name);
    for (size_t f = 0; good && f < sizeof fields / sizeof *fields; f++) {
        snprintf(name, sizeof name, "PartType%u/%s", type, fields[f].name);
        good = store_make_table(store, name, count, fields[f].columns, fields[f].whole);
    }
    return good;
}

static bool fill(struct store *store, unsigned type, const char *field, size_t at, size_t count,
                 const void *values)
{
    char name[64];
    snprintf(name, sizeof name, "PartType%u/%s", type, field);
    return store_fill_table(store, name, at, count, values);
}

/* Bodies without ids get those that readers of other programs expect. */
static bool put_rows(struct store *store, unsigned type, size_t at, size_t first, size_t count)
{
    uint64_t *row = memory_new(BLOCK, sizeof *row);
    bool good = true;
    for (size_t i = 0; good && i < count; i += BLOCK) {
        const size_t some = count - i < BLOCK ? count - i : BLOCK;
        for (size_t k = 0; k < some; k++)
            row[k] = first + i + k + 1;
        good = fill(store, type, "ParticleIDs", at + i, some, row);
    }
    free(row);
    return good;
}

static bool put_bodies(struct store *store, const struct bodies *bodies, const size_t count[TYPES])
{
    size_t at[TYPES] = {0};
    bool good = true;
    for (unsigned t = 0; good && t < TYPES; t++)
        good = count[t] == 0 || make_tables(store, t, count[t]);
    for (size_t c = 0; good && c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const unsigned type = species_of(component);
        const size_t i = component->first, n = component->count, to = at[type];
        if (n == 0)
            continue;
        good = fill(store, type, "Coordinates", to, n, bodies->position[i]) &&
               fill(store, type, "Velocities", to, n, bodies->velocity[i]) &&
               fill(store, type, "Masses", to, n, bodies->mass + i) &&
               (bodies->id ? fill(store, type, "ParticleIDs", to, n, bodies->id + i)
                           : put_rows(store, type, to, i, n));
        at[type] += n;
    }
    return good;
}

static bool put_all(int descriptor, const struct snapshot *snapshot)
{
    size_t count[TYPES];
    struct store *store = store_create_on(descriptor);
    if (!store)
        return false;
    species_count(snapshot->bodies, count);
    bool good = put_header(store, snapshot, count) && put_units(store, &snapshot->units) &&
                put_components(store, snapshot) && put_bodies(store, snapshot->bodies, count);
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
