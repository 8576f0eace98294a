#include "sim/formats/hdf5.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/formats/formats.h"
#include "sim/formats/further.h"
#include "sim/formats/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const swift_types[HEADER_TYPES] = {
    "gas", "dark matter", "background", "sinks", "stars", "black holes", "neutrinos", "type 7"};

enum { COMPONENTS_MAX = 4096 };

/* Some rows of a type in one file, and their destination. */
struct piece {
    unsigned type;
    uint64_t first, count;
    size_t to;
};

struct reading {
    struct hdf5_file *file;
    const char *path; /* of this file */
    struct hdf5_header header;
    struct snapshot *out;
    bool has_ids;
    struct body_columns noted;                /* later the bodies' columns */
    bool has[BODY_COLUMNS_MAX][HEADER_TYPES]; /* which types of this file have the column */
};

enum { PATH = HDF5_TEXT_MAX + 32 };

/* ---- finding tables ---- */

static enum status find_table(const struct reading *in, unsigned type, const char *field,
                              uint32_t columns, struct hdf5_table *out)
{
    char name[64];
    snprintf(name, sizeof name, "PartType%u/%s", type, field);
    const enum status status = hdf5_table(in->file, name, out);
    if (status != STATUS_OK || !out->found)
        return status;
    if (out->columns != columns)
        return status_fail(STATUS_USAGE, "%s: %s has %u columns, expected %u", in->path, name,
                           out->columns, columns);
    if (out->rows != in->header.here[type])
        return status_fail(STATUS_USAGE, "%s: %s has %llu rows where the header counts %llu bodies",
                           in->path, name, (unsigned long long)out->rows,
                           (unsigned long long)in->header.here[type]);
    return status;
}

/* "" if the type has no masses of its own. */
static enum status find_masses(const struct reading *in, unsigned type, const char **out)
{
    static const char *const names[] = {"Masses", "Mass", "DynamicalMasses"};
    struct hdf5_table table = {.found = false};
    enum status status = STATUS_OK;
    *out = "";
    for (size_t i = 0; i < sizeof names / sizeof *names && status == STATUS_OK; i++) {
        status = find_table(in, type, names[i], 1, &table);
        if (status != STATUS_OK || table.found) {
            *out = names[i];
            return status;
        }
    }
    if (in->header.mass[type] > 0)
        return status;
    return status_fail(STATUS_USAGE,
                       "%s: PartType%u has no Masses, and the header's MassTable no mass for it",
                       in->path, type);
}

/* The unit as this program and SWIFT write it, or as GADGET 4 and AREPO do, by powers; "" if there
 * is none or it cannot be read. */
static void find_unit(const struct reading *in, const char *path, char out[BODY_COLUMN_UNIT])
{
    static const char *const texts[] = {"unit", "Expression for physical CGS units"};
    static const struct {
        const char *name, *symbol;
    } powers[] = {{"mass_scaling", "U_M"},
                  {"length_scaling", "U_L"},
                  {"velocity_scaling", "U_V"},
                  {"a_scaling", "a"},
                  {"h_scaling", "h"}};
    struct hdf5_attribute got;
    size_t used = 0;
    *out = '\0';
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (hdf5_attribute(in->file, path, texts[i], &got) != STATUS_OK || !*got.text)
            continue;
        size_t length = strcspn(got.text, "["); /* SWIFT appends the value in cgs */
        while (length > 0 && got.text[length - 1] == ' ')
            length--;
        if (length < BODY_COLUMN_UNIT)
            snprintf(out, BODY_COLUMN_UNIT, "%.*s", (int)length, got.text);
        return;
    }
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        char power[32] = "";
        if (hdf5_attribute(in->file, path, powers[i].name, &got) != STATUS_OK || got.count != 1 ||
            !isfinite(got.number[0]) || got.number[0] == 0)
            continue;
        if (got.number[0] != 1)
            snprintf(power, sizeof power, "^%.4g", got.number[0]);
        used += (size_t)snprintf(out + used, BODY_COLUMN_UNIT - used, "%s%s%s", used ? " " : "",
                                 powers[i].symbol, power);
        if (used >= BODY_COLUMN_UNIT) {
            *out = '\0';
            return;
        }
    }
}

static const struct body_columns *further_of(const struct reading *in)
{
    return in->out->bodies ? &in->out->bodies->columns : &in->noted;
}

/* Notes a table of the type other than those that all bodies have, as an additional column if it
 * has one number per body. */
static void note_table(struct reading *in, unsigned type, const char *name)
{
    struct hdf5_table table;
    char path[PATH], unit[BODY_COLUMN_UNIT];
    const struct body_columns *further = further_of(in);
    const struct body_column *column = body_columns_find(further, name);
    if (!column && (in->out->bodies || !further_wanted(in->out, further, name)))
        return;
    snprintf(path, sizeof path, "PartType%u/%s", type, name);
    if (hdf5_table(in->file, path, &table) != STATUS_OK || !table.found || table.columns != 1 ||
        table.rows != in->header.here[type]) {
        snapshot_leave(in->out, name);
        return;
    }
    const bool single = table.class == HDF5_FLOAT && table.bytes <= sizeof(float);
    if (!column) {
        find_unit(in, path, unit);
        further_note(&in->noted, name, unit, single);
        column = &in->noted.list[in->noted.count - 1];
    } else if (!in->out->bodies) {
        struct body_column *known = &in->noted.list[column - in->noted.list];
        known->single = known->single && single;
    }
    in->has[column - further->list][type] = true;
}

static enum status note_further(struct reading *in, unsigned type)
{
    static const char *const read[] = {"Coordinates", "Velocities", "ParticleIDs",
                                       "Masses",      "Mass",       "DynamicalMasses"};
    enum { MEMBERS_MAX = 256 };
    char group[32], name[HDF5_TEXT_MAX] = "";
    enum status status = STATUS_OK;
    snprintf(group, sizeof group, "PartType%u", type);
    for (uint64_t k = 0; k < MEMBERS_MAX && status == STATUS_OK; k++) {
        status = hdf5_member(in->file, group, k, name);
        size_t i = 0;
        while (i < sizeof read / sizeof *read && strcmp(name, read[i]) != 0)
            i++;
        if (status != STATUS_OK || !*name)
            break;
        if (i == sizeof read / sizeof *read)
            note_table(in, type, name);
    }
    return status;
}

/* Checks, before allocating memory, that every type counted in the header exists. */
static enum status check_types(struct reading *in)
{
    enum status status = STATUS_OK;
    memset(in->has, 0, sizeof in->has);
    for (unsigned t = 0; t < HEADER_TYPES && status == STATUS_OK; t++) {
        struct hdf5_table position, velocity, id;
        if (in->header.here[t] == 0)
            continue;
        status = find_table(in, t, "Coordinates", 3, &position);
        if (status == STATUS_OK)
            status = find_table(in, t, "Velocities", 3, &velocity);
        if (status == STATUS_OK && !(position.found && velocity.found))
            status = status_fail(STATUS_USAGE,
                                 "%s: PartType%u has no %s, though the header counts %llu bodies",
                                 in->path, t, position.found ? "Velocities" : "Coordinates",
                                 (unsigned long long)in->header.here[t]);
        if (status == STATUS_OK)
            status = find_table(in, t, "ParticleIDs", 1, &id);
        if (status != STATUS_OK)
            return status;
        status = note_further(in, t);
        if (status != STATUS_OK)
            return status;
        in->has_ids = in->has_ids && id.found;
        in->out->single = in->out->single && (in->header.narrow || position.bytes == sizeof(float));
    }
    return status;
}

/* ---- numbers ---- */

static enum status read_masses(const struct reading *in, const struct piece *piece)
{
    char name[64];
    const char *field;
    double *to = in->out->bodies->mass + piece->to;
    const enum status status = find_masses(in, piece->type, &field);
    if (status != STATUS_OK)
        return status;
    snprintf(name, sizeof name, "PartType%u/%s", piece->type, field);
    if (*field)
        return hdf5_numbers(in->file, name, piece->first, piece->count, to, 1, true);
    for (uint64_t i = 0; i < piece->count; i++)
        to[i] = in->header.mass[piece->type];
    return status;
}

static enum status read_vectors(const struct reading *in, const struct piece *piece,
                                const char *field, double (*to)[3])
{
    char name[64];
    snprintf(name, sizeof name, "PartType%u/%s", piece->type, field);
    return hdf5_numbers(in->file, name, piece->first, piece->count, to[piece->to], 3, false);
}

/* Bodies of a type without the column get NaN. */
static enum status read_further(const struct reading *in, const struct piece *piece)
{
    const struct body_columns *columns = &in->out->bodies->columns;
    enum status status = STATUS_OK;
    for (size_t c = 0; c < columns->count && status == STATUS_OK; c++) {
        char path[PATH];
        double *to = columns->list[c].value + piece->to;
        snprintf(path, sizeof path, "PartType%u/%s", piece->type, columns->list[c].name);
        bool rounded = false;
        if (in->has[c][piece->type])
            status = hdf5_values(in->file, path, piece->first, piece->count, to, &rounded);
        else
            for (uint64_t i = 0; i < piece->count; i++)
                to[i] = NAN;
        if (rounded)
            snapshot_round(in->out, columns->list[c].name);
    }
    return status;
}

/* Converts comoving numbers to physical ones (hdf5.h). */
static void make_physical(const struct reading *in, const struct piece *piece)
{
    const struct hdf5_header *by = &in->header;
    struct bodies *bodies = in->out->bodies;
    for (size_t i = piece->to; i < piece->to + piece->count; i++) {
        double *x = bodies->position[i], *v = bodies->velocity[i];
        bodies->mass[i] *= by->body_mass;
        for (int c = 0; c < 3; c++) {
            x[c] *= by->position;
            v[c] = v[c] * by->velocity + (x[c] - by->box[c] / 2) * by->expansion;
        }
    }
}

static enum status read_piece(const struct reading *in, const struct piece *piece)
{
    char name[64];
    struct bodies *bodies = in->out->bodies;
    uint64_t good = 0;
    if (piece->count == 0)
        return STATUS_OK;
    enum status status = read_vectors(in, piece, "Coordinates", bodies->position);
    if (status == STATUS_OK)
        status = read_vectors(in, piece, "Velocities", bodies->velocity);
    if (status == STATUS_OK)
        status = read_masses(in, piece);
    snprintf(name, sizeof name, "PartType%u/ParticleIDs", piece->type);
    if (status == STATUS_OK && bodies->id)
        status =
            hdf5_ids(in->file, name, piece->first, piece->count, bodies->id + piece->to, &good);
    if (status == STATUS_OK && bodies->id)
        status = snapshot_check_ids(in->out, in->path, name, piece->first + good,
                                    piece->first + piece->count);
    if (status == STATUS_OK && in->header.comoving)
        make_physical(in, piece);
    if (status == STATUS_OK)
        status = read_further(in, piece);
    return status;
}

/* ---- components ---- */

/* A component written by this program; *type is HEADER_TYPES otherwise. */
static enum status own_component(const struct reading *in, size_t index,
                                 struct component *component, uint64_t *type)
{
    static const char *const texts[] = {"name", "galaxy"}, *const numbers[] = {"PartType", "count",
                                                                               "draw", "light",
                                                                               "softening"};
    struct hdf5_attribute text[2], number[5];
    char group[64];
    enum status status = STATUS_OK;
    snprintf(group, sizeof group, "gravreel/%zu", index);
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = hdf5_attribute(in->file, group, texts[i], &text[i]);
    for (int i = 0; i < 5 && status == STATUS_OK; i++)
        status = hdf5_attribute(in->file, group, numbers[i], &number[i]);
    if (status != STATUS_OK)
        return status;
    const double light = number[3].number[0], softening = number[4].number[0];
    *type = number[0].count == 1 && isfinite(light) && light >= 0 && isfinite(softening) &&
                    softening >= 0
                ? number[0].whole[0]
                : HEADER_TYPES;
    *component = (struct component){.count = number[1].whole[0],
                                    .draw = number[2].whole[0] != 0,
                                    .light = light,
                                    .softening = softening};
    snprintf(component->name, BODIES_NAME_MAX, "%.*s", BODIES_NAME_MAX - 1, text[0].text);
    snprintf(component->galaxy, BODIES_NAME_MAX, "%.*s", BODIES_NAME_MAX - 1, text[1].text);
    return status;
}

/* The components written by this program, and the pieces that they consist of. 0: none. */
static enum status own_components(const struct reading *in, struct component *components,
                                  struct piece *pieces, size_t *count)
{
    struct hdf5_attribute got;
    uint64_t used[HEADER_TYPES] = {0}, type;
    enum status status = hdf5_attribute(in->file, "gravreel", "components", &got);
    *count =
        status == STATUS_OK && got.count == 1 && got.whole[0] <= COMPONENTS_MAX ? got.whole[0] : 0;
    for (size_t c = 0; c < *count; c++) {
        struct component *component = &components[c];
        status = own_component(in, c, component, &type);
        if (status != STATUS_OK)
            return status;
        if (type >= HEADER_TYPES || component->count > in->header.here[type] - used[type])
            break;
        pieces[c] = (struct piece){(unsigned)type, used[type], component->count, 0};
        used[type] += component->count;
    }
    if (*count > 0 && memcmp(used, in->header.here, sizeof used) != 0) {
        log_warning("%s: its list of components does not fit its bodies and is left out", in->path);
        *count = 0;
    }
    return status;
}

static void name_type(const struct reading *in, unsigned type, char out[BODIES_NAME_MAX])
{
    if (in->header.swift)
        snprintf(out, BODIES_NAME_MAX, "%s", swift_types[type]);
    else if (type < SPECIES_COUNT)
        snprintf(out, BODIES_NAME_MAX, "%s", species_names[type]);
    else
        snprintf(out, BODIES_NAME_MAX, "type %u", type);
}

static size_t types_as_components(const struct reading *in, const uint64_t *total,
                                  struct component *components, struct piece *pieces)
{
    size_t count = 0;
    for (unsigned t = 0; t < HEADER_TYPES; t++) {
        if (total[t] == 0)
            continue;
        components[count] = (struct component){.count = total[t], .light = 1};
        name_type(in, t, components[count].name);
        pieces[count++] = (struct piece){t, 0, total[t], 0};
    }
    species_hide_haloes(&(struct bodies){.component_count = count, .components = components});
    return count;
}

/* Makes room for the slice of `all` bodies, and cuts the pieces of the components to it. */
static enum status make_room(struct reading *in, size_t all, const struct component *components,
                             struct piece *pieces, size_t count)
{
    body_rows_fit(in->out, &in->noted, all); /* the same columns in every slice */
    enum status status = snapshot_create(in->out, components, count);
    if (status != STATUS_OK)
        return status;
    struct bodies *bodies = in->out->bodies;
    for (size_t c = 0; c < count; c++) {
        pieces[c].first += snapshot_begin(in->out, pieces[c].count);
        pieces[c].count = bodies->components[c].count;
        pieces[c].to = bodies->components[c].first;
    }
    if (in->has_ids)
        status = bodies_add_ids(bodies, bodies->count);
    for (size_t c = 0; c < in->noted.count && status == STATUS_OK; c++) {
        const struct body_column *column = &in->noted.list[c];
        status = body_columns_add(&bodies->columns, column->name, column->unit, column->single,
                                  bodies->count);
    }
    return status;
}

/* ---- one file ---- */

static enum status read_single(struct reading *in, size_t bodies, struct component *components,
                               struct piece *pieces)
{
    size_t count;
    enum status status = own_components(in, components, pieces, &count);
    if (status != STATUS_OK)
        return status;
    if (count == 0)
        count = types_as_components(in, in->header.here, components, pieces);
    status = make_room(in, bodies, components, pieces, count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = read_piece(in, &pieces[i]);
    return status;
}

/* ---- several files ---- */

static enum status open_part(struct reading *in, const char *path, uint64_t files)
{
    in->path = path;
    enum status status = hdf5_open(&in->file, path);
    if (status == STATUS_OK)
        status = hdf5_header_read(in->file, path, &in->header);
    if (status == STATUS_OK && (!in->header.found || in->header.files != files))
        status = status_fail(STATUS_USAGE, "%s is not one of the %llu files of its snapshot", path,
                             (unsigned long long)files);
    return status;
}

/* A snapshot in several files, whose groups of bodies, components or types, each go on from file to
 * file. */
struct several {
    const char *path; /* of one of them */
    uint64_t files;
    uint64_t (*here)[HEADER_TYPES]; /* [files] bodies of each type */
    size_t groups;                  /* the components that the files list; 0: they list none */
    struct piece *own;              /* [files][groups] */
};

/* Opens file i. */
static enum status visit(struct reading *in, const struct several *all, uint64_t i)
{
    char *path = parts_name(all->path, i);
    enum status status = open_part(in, path, all->files);
    if (status == STATUS_OK)
        status = check_types(in);
    if (status != STATUS_OK)
        hdf5_close(&in->file);
    free(path);
    return status;
}

static bool are_alike(const struct component *a, const struct component *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->galaxy, b->galaxy) == 0;
}

/* Counts the bodies of file i. */
static enum status inspect(struct reading *in, struct several *all, uint64_t i,
                           struct component *components)
{
    struct component *found = memory_new(COMPONENTS_MAX, sizeof *found);
    struct piece *pieces = memory_new(COMPONENTS_MAX, sizeof *pieces);
    size_t count = 0;
    enum status status = visit(in, all, i);
    memcpy(all->here[i], in->header.here, sizeof all->here[i]);
    if (status == STATUS_OK)
        status = own_components(in, found, pieces, &count);
    hdf5_close(&in->file);
    if (i == 0 && status == STATUS_OK) {
        all->groups = count;
        all->own = memory_new(all->files * count + 1, sizeof *all->own);
        memcpy(components, found, count * sizeof *found);
    }
    for (size_t c = 0; c < count && count == all->groups; c++)
        if (!are_alike(&components[c], &found[c]))
            count = 0;
    if (count != all->groups)
        all->groups = 0; /* the types are the components */
    if (all->groups > 0)
        memcpy(all->own + i * count, pieces, count * sizeof *pieces);
    free(found);
    free(pieces);
    return status;
}

/* Reads the given pieces of file i. */
static enum status take(struct reading *in, const struct several *all, uint64_t i,
                        const struct piece *pieces)
{
    enum status status = visit(in, all, i);
    if (status == STATUS_OK && memcmp(all->here[i], in->header.here, sizeof all->here[i]) != 0)
        status = status_fail(STATUS_USAGE, "%s has changed while it was read", all->path);
    for (size_t g = 0; g < all->groups && status == STATUS_OK; g++)
        status = read_piece(in, &pieces[g]);
    hdf5_close(&in->file);
    return status;
}

static void add_counts(uint64_t sum[HEADER_TYPES], const uint64_t here[HEADER_TYPES])
{
    for (unsigned t = 0; t < HEADER_TYPES; t++)
        sum[t] += here[t];
}

/* Finds which rows of the groups, which count over all files, are in file i; the files before it
 * have `done` rows. false: none. */
static bool find_rows(const struct several *all, uint64_t i, const struct piece *places,
                      const uint64_t *done, struct piece *out)
{
    bool found = false;
    for (size_t g = 0; g < all->groups; g++) {
        const struct piece *own = &all->own[i * all->groups + g];
        const uint64_t end = places[g].first + places[g].count, own_end = done[g] + own->count;
        const uint64_t from = places[g].first > done[g] ? places[g].first : done[g],
                       to = end < own_end ? end : own_end;
        out[g] = (struct piece){own->type, own->first + (from - done[g]), to > from ? to - from : 0,
                                places[g].to + (from - places[g].first)};
        found = found || to > from;
    }
    return found;
}

/* The groups of all files, in `components` and `pieces`. */
static void list_groups(struct reading *in, struct several *all, const uint64_t sum[HEADER_TYPES],
                        struct component *components, struct piece *pieces)
{
    const bool listed = all->groups > 0;
    if (!listed) {
        all->groups = types_as_components(in, sum, components, pieces);
        free(all->own);
        all->own = memory_new(all->files * all->groups + 1, sizeof *all->own);
    }
    for (size_t g = 0; g < all->groups; g++) {
        uint64_t count = 0;
        for (uint64_t i = 0; i < all->files; i++) {
            struct piece *own = &all->own[i * all->groups + g];
            if (!listed)
                *own = (struct piece){pieces[g].type, 0, all->here[i][pieces[g].type], 0};
            count += own->count;
        }
        pieces[g] = (struct piece){all->own[g].type, 0, count, 0};
        components[g].count = count;
    }
}

static enum status check_total(const char *path, const uint64_t *sum, const uint64_t *total)
{
    for (unsigned t = 0; t < HEADER_TYPES; t++)
        if (sum[t] != total[t])
            return status_fail(STATUS_USAGE,
                               "the files of %s have %llu bodies of type %u, and its header counts "
                               "%llu in all",
                               path, (unsigned long long)sum[t], t, (unsigned long long)total[t]);
    return STATUS_OK;
}

static enum status read_several(struct reading *in, const char *path, struct component *components,
                                struct piece *pieces)
{
    const struct hdf5_header header = in->header;
    uint64_t sum[HEADER_TYPES] = {0}, bodies = 0;
    char *name = parts_name(path, 0);
    const bool named = name;
    free(name);
    if (!named)
        return status_fail(STATUS_USAGE,
                           "%s is one of %llu files of a snapshot, whose names must end with .0%s, "
                           ".1%s and so on",
                           path, (unsigned long long)header.files, ".hdf5", ".hdf5");
    struct several all = {.path = path, .files = header.files};
    all.here = memory_new(header.files, sizeof *all.here);
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < header.files && status == STATUS_OK; i++) {
        status = inspect(in, &all, i, components);
        add_counts(sum, all.here[i]);
    }
    if (status == STATUS_OK)
        status = check_total(path, sum, header.total);
    for (unsigned t = 0; t < HEADER_TYPES; t++)
        bodies += sum[t];
    if (status == STATUS_OK)
        status = body_rows_check(path, bodies);
    if (status == STATUS_OK) {
        list_groups(in, &all, sum, components, pieces);
        status = make_room(in, bodies, components, pieces, all.groups);
    }
    struct piece *rows = memory_new(all.groups + 1, sizeof *rows);
    uint64_t *done = memory_new(all.groups + 1, sizeof *done);
    for (uint64_t i = 0; i < header.files && status == STATUS_OK; i++) {
        if (find_rows(&all, i, pieces, done, rows))
            status = take(in, &all, i, rows);
        for (size_t g = 0; g < all.groups; g++)
            done[g] += all.own[i * all.groups + g].count;
    }
    free(rows);
    free(done);
    free(all.own);
    free(all.here);
    return status;
}

static enum status read_own(struct hdf5_file *file, const char *path,
                            const struct hdf5_header *header, struct snapshot *out)
{
    struct reading in = {
        .file = file, .path = path, .header = *header, .out = out, .has_ids = true};
    uint64_t bodies = 0;
    enum status status = STATUS_OK;
    out->single = !header->comoving;
    hdf5_header_give(header, out);
    if (!header->own)
        out->scale = (struct column_scale){header->position, header->body_mass, header->swift};
    for (unsigned t = 0; t < HEADER_TYPES && status == STATUS_OK; t++) {
        status =
            header->here[t] > BODY_ROWS_MAX ? body_rows_check(path, header->here[t]) : STATUS_OK;
        bodies += header->here[t];
    }
    struct component *components = memory_new(COMPONENTS_MAX, sizeof *components);
    struct piece *pieces = memory_new(COMPONENTS_MAX, sizeof *pieces);
    if (status == STATUS_OK && header->files > 1) {
        in.file = NULL;
        status = read_several(&in, path, components, pieces);
    } else if (status == STATUS_OK) {
        status = body_rows_check(path, bodies);
        if (status == STATUS_OK)
            status = check_types(&in);
        if (status == STATUS_OK)
            status = read_single(&in, bodies, components, pieces);
    }
    if (status == STATUS_OK && header->comoving)
        log_info_once("the files are of an expanding universe: their comoving numbers become "
                      "physical positions and velocities with the expansion%s, and their times the "
                      "age",
                      header->box[0] > 0 ? " about the box's centre" : "");
    body_columns_free(&in.noted);
    free(pieces);
    free(components);
    return status;
}

/* ---- files that point at others ---- */

/* The first file, in the same folder, that the positions are assembled from; NULL: they are in this
 * file. Folders in that name are ignored, so that no file elsewhere is opened. */
static enum status find_source(struct hdf5_file *file, const char *path,
                               const struct hdf5_header *header, char **out)
{
    char name[64], source[HDF5_TEXT_MAX] = "";
    enum status status = STATUS_OK;
    unsigned type = 0;
    *out = NULL;
    while (type < HEADER_TYPES && header->here[type] == 0)
        type++;
    snprintf(name, sizeof name, "PartType%u/Coordinates", type);
    if (type < HEADER_TYPES)
        status = hdf5_source(file, name, source);
    if (status != STATUS_OK || !*source)
        return status;
    const char *last = strrchr(source, '/'), *slash = strrchr(path, '/');
    *out =
        text_format("%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, last ? last + 1 : source);
    return status;
}

static enum status read_source(const char *path, const struct hdf5_header *header,
                               const char *source, struct snapshot *out)
{
    struct hdf5_file *file = NULL;
    struct hdf5_header first;
    enum status status = hdf5_open(&file, source);
    if (status == STATUS_OK)
        status = hdf5_header_read(file, source, &first);
    if (status == STATUS_OK &&
        (!first.found || memcmp(first.total, header->here, sizeof first.total) != 0))
        status = status_fail(STATUS_USAGE,
                             "%s and %s, which is assembled from it, give different numbers of "
                             "bodies; copy or save both again",
                             source, path);
    if (status == STATUS_OK) {
        log_info("%s only links to other files; they are read instead: %s", path, source);
        status = read_own(file, source, &first, out);
    }
    hdf5_close(&file);
    return status;
}

enum status hdf5_gadget_read(struct hdf5_file *file, const char *path,
                             const struct hdf5_header *header, struct snapshot *out)
{
    char *source;
    enum status status = find_source(file, path, header, &source);
    if (status == STATUS_OK && source)
        status = read_source(path, header, source, out);
    else if (status == STATUS_OK)
        status = read_own(file, path, header, out);
    free(source);
    return status;
}
