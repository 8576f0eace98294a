#include "sim/formats/hdf5.h"

#include "sim/formats/columns.h"
#include "sim/formats/formats.h"
#include "sim/formats/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reads the group Header in GADGET's terms (GADGET-4's documentation, "Snapshot format"; AREPO and
 * SWIFT follow it), and the groups Units, Parameters and Cosmology.
 *
 * Cosmological runs of GADGET and AREPO write comoving positions over h and velocities over the
 * square root of the scale factor a; SWIFT's write comoving positions without h and peculiar
 * velocities. All are converted to physical positions and full velocities, including the expansion,
 * at the age of the universe. */

#define HUBBLE_100 3.2407792894443648e-18 /* 100 km/s/Mpc in 1/s */

struct found {
    struct hdf5_file *file;
    const char *path;
    enum status status; /* of the first failure */
};

static struct hdf5_attribute attribute(struct found *found, const char *object, const char *name)
{
    struct hdf5_attribute out = {.count = 0};
    if (found->status == STATUS_OK)
        found->status = hdf5_attribute(found->file, object, name, &out);
    return out;
}

static double number(struct found *found, const char *object, const char *name, double fallback)
{
    const struct hdf5_attribute got = attribute(found, object, name);
    return got.count > 0 && isfinite(got.number[0]) ? got.number[0] : fallback;
}

/* Reads the value from the header or, if the header lacks it, from the run's parameters. */
static double stated(struct found *found, const char *name, double fallback)
{
    const double header = number(found, "Header", name, NAN);
    return isnan(header) ? number(found, "Parameters", name, fallback) : header;
}

static enum status counts(struct found *found, struct hdf5_header *out)
{
    const struct hdf5_attribute here = attribute(found, "Header", "NumPart_ThisFile"),
                                total = attribute(found, "Header", "NumPart_Total"),
                                high = attribute(found, "Header", "NumPart_Total_HighWord"),
                                mass = attribute(found, "Header", "MassTable");
    out->found = here.count > 0;
    if (found->status != STATUS_OK || !out->found)
        return found->status;
    if (here.count > HEADER_TYPES || total.count > HEADER_TYPES || mass.count > HEADER_TYPES)
        return status_fail(STATUS_USAGE, "%s: the header counts more than %d types of bodies",
                           found->path, HEADER_TYPES);
    for (unsigned t = 0; t < HEADER_TYPES; t++) {
        out->here[t] = t < here.count ? here.whole[t] : 0;
        out->total[t] = t < total.count ? total.whole[t] : out->here[t];
        if (t < high.count && out->total[t] <= UINT32_MAX && high.whole[t] <= UINT32_MAX)
            out->total[t] |= high.whole[t] << 32;
        out->mass[t] = t < mass.count ? mass.number[t] : 0;
        if (!(out->mass[t] >= 0 && isfinite(out->mass[t])))
            return status_fail(STATUS_USAGE,
                               "%s: the header's MassTable contains %g, which is not a mass",
                               found->path, out->mass[t]);
    }
    const struct hdf5_attribute files = attribute(found, "Header", "NumFilesPerSnapshot");
    out->files = files.count > 0 && files.whole[0] > 0 ? files.whole[0] : 1;
    return out->files <= HEADER_FILES_MAX
               ? found->status
               : status_fail(STATUS_USAGE, "%s is one of %llu files, and at most %d are read",
                             found->path, (unsigned long long)out->files, HEADER_FILES_MAX);
}

static struct snapshot_units units_in(struct found *found, const char *object)
{
    return (struct snapshot_units){
        .length_cm = number(found, object, "UnitLength_in_cm", 0),
        .mass_g = number(found, object, "UnitMass_in_g", 0),
        .velocity_cms = number(found, object, "UnitVelocity_in_cm_per_s", 0),
    };
}

static bool are_known(const struct snapshot_units *units)
{
    return units->length_cm > 0 && units->velocity_cms > 0 && isfinite(units->mass_g) &&
           units->mass_g >= 0;
}

/* A file of this program states what it knows; other files without units have GADGET's default
 * ones. */
static void find_units(struct found *found, struct hdf5_header *out)
{
    static const char *const places[] = {"Units", "Parameters", "Header"};
    const double length = number(found, "Units", "Unit length in cgs (U_L)", 0),
                 mass = number(found, "Units", "Unit mass in cgs (U_M)", 0),
                 time = number(found, "Units", "Unit time in cgs (U_t)", 0);
    out->own = number(found, "gravreel", "components", 0) > 0;
    out->swift = length > 0 && time > 0;
    if (out->swift)
        out->units = (struct snapshot_units){length, mass, length / time};
    for (size_t i = 0; i < sizeof places / sizeof *places && !are_known(&out->units); i++)
        out->units = units_in(found, places[i]);
    if (!are_known(&out->units)) /* GIZMO's newer names */
        out->units = (struct snapshot_units){number(found, "Header", "UnitLength_In_CGS", 0),
                                             number(found, "Header", "UnitMass_In_CGS", 0),
                                             number(found, "Header", "UnitVelocity_In_CGS", 0)};
    if (are_known(&out->units))
        return;
    out->units_assumed = !out->own;
    out->units = out->units_assumed ? units_gadget : (struct snapshot_units){0, 0, 0};
}

static bool is_comoving(struct found *found, const struct hdf5_header *out, double time,
                        double redshift, double matter)
{
    if (out->swift)
        return number(found, "Cosmology", "Cosmological run", 0) == 1;
    const double said = number(found, "Parameters", "ComovingIntegrationOn", NAN);
    if (!isnan(said))
        return said == 1;
    return matter > 0 && time > 0 && fabs(time * (1 + redshift) - 1) < 1e-6;
}

static enum status find_cosmology(struct found *found, struct hdf5_header *out)
{
    const bool swift = out->swift;
    const double matter = swift ? number(found, "Cosmology", "Omega_m", 0)
                                : stated(found, "Omega0", stated(found, "Omega_Matter", 0)),
                 lambda = swift ? number(found, "Cosmology", "Omega_lambda", 0)
                                : stated(found, "OmegaLambda", stated(found, "Omega_Lambda", 0)),
                 h = swift ? number(found, "Cosmology", "h", 0) : stated(found, "HubbleParam", 1),
                 redshift = number(found, "Header", "Redshift", 0);
    out->position = out->velocity = out->body_mass = out->scale_factor = 1;
    out->comoving = is_comoving(found, out, out->time, redshift, matter);
    if (!out->comoving || found->status != STATUS_OK)
        return found->status;
    const double a =
        swift ? number(found, "Header", "Scale-factor", 1 / (1 + redshift)) : out->time;
    struct cosmology cosmology = {matter, lambda, 0, h};
    if (!(a > 0 && a < 1e3 && h > 0.01 && h < 100 && matter > 0 && matter < 10 &&
          fabs(lambda) < 10) ||
        !(cosmology_age(&cosmology, a) > 0))
        return status_fail(STATUS_USAGE,
                           "%s is of an expanding universe with invalid parameters: a = %g, h = "
                           "%g, Omega0 = %g and OmegaLambda = %g",
                           found->path, a, h, matter, lambda);
    const double rate = HUBBLE_100 * h, time_s = out->units.length_cm / out->units.velocity_cms;
    out->scale_factor = a;
    out->position = swift ? a : a / h;
    out->velocity = swift ? 1 : sqrt(a);
    out->body_mass = swift ? 1 : 1 / h;
    out->expansion = rate * cosmology_rate(&cosmology, a) * time_s;
    out->time = cosmology_age(&cosmology, a) / rate / time_s;
    cosmology.hubble = rate * time_s;
    out->cosmology = cosmology;
    return STATUS_OK;
}

/* Reads one edge or three. AREPO multiplies a single edge by compile-time factors. */
static void find_box(struct found *found, double out[3])
{
    static const char *const longer[] = {"LONG_X", "LONG_Y", "LONG_Z"};
    const struct hdf5_attribute size = attribute(found, "Header", "BoxSize");
    for (size_t i = 0; i < 3; i++) {
        double edge = size.count > i ? size.number[i] : size.count > 0 ? size.number[0] : 0;
        if (size.count == 1)
            edge *= number(found, "Config", longer[i], 1);
        out[i] = isfinite(edge) && edge > 0 ? edge : 0;
    }
}

void hdf5_header_give(const struct hdf5_header *header, struct snapshot *out)
{
    out->time = header->time;
    out->time_known = header->time_known;
    memcpy(out->box, header->box, sizeof out->box);
    out->expansion = header->expansion;
    out->cosmology = header->cosmology;
    out->scale_factor = header->comoving ? header->scale_factor : 0;
    out->units = header->units;
    out->units_assumed = header->units_assumed;
}

enum status hdf5_header_read(struct hdf5_file *file, const char *path, struct hdf5_header *out)
{
    struct found found = {.file = file, .path = path};
    memset(out, 0, sizeof *out);
    enum status status = counts(&found, out);
    if (status != STATUS_OK || !out->found)
        return status;
    const struct hdf5_attribute time = attribute(&found, "Header", "Time");
    out->time_known = time.count > 0 && isfinite(time.number[0]) &&
                      number(&found, "gravreel", "time_known", 1) == 1;
    out->time = out->time_known ? time.number[0] : 0;
    out->narrow = number(&found, "gravreel", "single", 0) == 1;
    find_units(&found, out);
    find_box(&found, out->box);
    status = found.status == STATUS_OK ? find_cosmology(&found, out) : found.status;
    for (int c = 0; c < 3; c++)
        out->box[c] *= out->position;
    return status;
}

/* ---- hdf5 ---- */

static bool probe(const struct format_head *head)
{
    return superblock_found(head->bytes, head->size);
}

static enum status unknown(const char *path)
{
    return status_fail(
        STATUS_USAGE,
        "%s is HDF5, but not a snapshot of GADGET, AREPO or SWIFT (it has no Header with "
        "NumPart_ThisFile), not particles of AMUSE, and has no arrays mass, pos and vel; save it "
        "as "
        "one of these, with h5py",
        path);
}

/* Reads the file, or only its time and units. */
static enum status read_any(const char *path, struct snapshot *out, bool all)
{
    struct hdf5_file *file = NULL;
    struct hdf5_header header;
    bool found = false;
    enum status status = hdf5_open(&file, path);
    if (status == STATUS_OK)
        status = hdf5_header_read(file, path, &header);
    if (status == STATUS_OK && header.found && all)
        status = hdf5_gadget_read(file, path, &header, out);
    else if (status == STATUS_OK && header.found)
        hdf5_header_give(&header, out);
    else if (status == STATUS_OK)
        status = (all ? hdf5_amuse_read : hdf5_amuse_units)(file, path, out, &found);
    if (status == STATUS_OK && !header.found && !found)
        status = (all ? hdf5_arrays_read : hdf5_arrays_units)(file, path, out, &found);
    if (status == STATUS_OK && !header.found && !found)
        status = unknown(path);
    hdf5_close(&file);
    return status;
}

static enum status read_hdf5(const char *path, struct snapshot *out)
{
    return read_any(path, out, true);
}

static enum status read_units(const char *path, struct snapshot *out)
{
    return read_any(path, out, false);
}

const struct format format_hdf5 = {
    .name = "hdf5",
    .doc =
        "HDF5 of GADGET, AREPO and SWIFT, in one file or several, of AMUSE, and of plain arrays; "
        "GADGET's layout is written",
    .extensions = "hdf5 h5 hdf",
    .keeps = KEEPS_COMPONENTS | KEEPS_NAMES | KEEPS_IDS | KEEPS_TIME | KEEPS_UNITS | KEEPS_DOUBLES |
             KEEPS_COLUMNS | KEEPS_COLUMN_UNITS | KEEPS_SHARES,
    .probe = probe,
    .read = read_hdf5,
    .read_units = read_units,
    .write = hdf5_write,
};

/* ---- hdf5_amuse ---- */

/* A set lies in the group data/0000000001 (version 2 of the store) or particles/0000000001
 * (version 1), the last one being the newest: a dataset `keys` and a group `attributes` with a
 * dataset for each quantity, whose unit is the attribute `units` (amuse.io.store_v2). */

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
        status = hdf5_member(set->file, roots[i], UINT64_MAX, last);
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
