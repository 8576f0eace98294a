/* Tipsy's binary files, standard (big-endian, as XDR) and native (little-endian): a header with the
 * time and five counts, with or without four bytes of padding, then gas, dark and star records of
 * 12, 9 and 11 float32. Layout: Tipsy's tipsydefs.h (N-Body Shop, University of Washington). ChaNGa
 * writes positions and velocities as float64, if asked to (bDoublePos, bDoubleVel); no header says
 * so, but the file's size does.
 *
 * Some programs store an integer id in place of a record's last number, the potential. Read as
 * float32, such ids are below 1e-19, which no potential is. */
#include "sim/formats/formats.h"

#include "base/log.h"
#include "base/memory.h"
#include "sim/formats/records.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    HEADER = 28,
    PADDING = 4,
    KINDS = 3,
    WIDER = 12, /* bytes by which a vector of float64 is longer */
    FIELDS = 4,
    IDS_END = 1 << 29,
};

/* Gas, dark matter, stars. */
static const size_t words[KINDS] = {12, 9, 11};
static const char *const names[KINDS + 1] = {"gas", "dark", "stars", NULL};

struct tipsy {
    const char *path;
    struct body_input *input;
    bool swap;
    bool wide_position, wide_velocity; /* float64 */
    double time;
    uint64_t total, count[KINDS];
    uint32_t dimensions;
    struct snapshot *out;
    struct body_rows rows;
    int kind; /* that is being read */
};

static void parse(struct tipsy *tipsy, const unsigned char *head, bool swap)
{
    tipsy->swap = swap;
    tipsy->time = bytes_f64(head, swap);
    tipsy->total = bytes_u32(head + 8, swap);
    tipsy->dimensions = bytes_u32(head + 12, swap);
    for (int k = 0; k < KINDS; k++)
        tipsy->count[k] = bytes_u32(head + 16 + 4 * k, swap);
}

static bool is_sound(const struct tipsy *tipsy)
{
    return tipsy->dimensions >= 1 && tipsy->dimensions <= 3 && tipsy->total > 0 &&
           tipsy->count[0] + tipsy->count[1] + tipsy->count[2] == tipsy->total;
}

/* Whether the bytes are a header in either byte order. */
static bool recognize(struct tipsy *tipsy, const unsigned char *head)
{
    parse(tipsy, head, true);
    if (is_sound(tipsy))
        return true;
    parse(tipsy, head, false);
    return is_sound(tipsy);
}

static bool probe(const struct format_head *head)
{
    struct tipsy tipsy;
    return head->size >= HEADER && recognize(&tipsy, head->bytes);
}

static size_t record_size(const struct tipsy *tipsy, int kind)
{
    return words[kind] * sizeof(float) +
           (size_t)WIDER * ((size_t)tipsy->wide_position + tipsy->wide_velocity);
}

static uint64_t bytes_of_bodies(const struct tipsy *tipsy)
{
    uint64_t size = 0;
    for (int k = 0; k < KINDS; k++)
        size += tipsy->count[k] * record_size(tipsy, k);
    return size;
}

/* Finds out from the number of bytes after the header whether vectors are float64 and whether the
 * header is padded. In a packed file that number is unknown, and nearly all files are padded and
 * have float32. */
static enum status fit_size(struct tipsy *tipsy)
{
    const uint64_t left = body_input_left(tipsy->input), needed = bytes_of_bodies(tipsy);
    for (int wide = 0; wide <= 2; wide++) {
        tipsy->wide_position = wide > 0;
        tipsy->wide_velocity = wide > 1;
        if (left == bytes_of_bodies(tipsy))
            return STATUS_OK;
        if (left == UINT64_MAX || left == bytes_of_bodies(tipsy) + PADDING)
            return body_input_skip(tipsy->input, PADDING, "its header");
    }
    return status_fail(STATUS_USAGE,
                       "%s is a Tipsy file of %llu gas, %llu dark and %llu star particles, which "
                       "take %llu bytes after its header, and it has %llu; copy or save it again",
                       tipsy->path, (unsigned long long)tipsy->count[0],
                       (unsigned long long)tipsy->count[1], (unsigned long long)tipsy->count[2],
                       (unsigned long long)needed, (unsigned long long)left);
}

static enum status read_header(struct tipsy *tipsy)
{
    unsigned char head[HEADER];
    enum status status = body_input_take(tipsy->input, head, sizeof head, "its header");
    if (status != STATUS_OK)
        return status;
    if (!recognize(tipsy, head))
        return status_fail(STATUS_USAGE,
                           "%s is not a Tipsy file: its header's counts of gas, dark and star "
                           "particles do not add up to their total in either byte order",
                           tipsy->path);
    if (tipsy->dimensions != 3)
        return status_fail(STATUS_USAGE, "%s has %u dimensions, and only 3 can be read",
                           tipsy->path, tipsy->dimensions);
    status = body_rows_check(tipsy->path, tipsy->total);
    return status == STATUS_OK ? fit_size(tipsy) : status;
}

/* Fields of a record: mass, position, velocity and, if the last word can be one, the id. */
static void place_fields(const struct tipsy *tipsy, int kind, struct record_field field[FIELDS])
{
    const struct number_type narrow = {'f', 4, tipsy->swap}, wide = {'f', 8, tipsy->swap},
                             whole = {'u', 4, tipsy->swap};
    const size_t velocity = sizeof(float) * 4 + (tipsy->wide_position ? WIDER : 0);
    field[0] = (struct record_field){COLUMN_MASS, 1, narrow, 0, false};
    field[1] = (struct record_field){COLUMN_X, 3, tipsy->wide_position ? wide : narrow,
                                     sizeof(float), false};
    field[2] =
        (struct record_field){COLUMN_VX, 3, tipsy->wide_velocity ? wide : narrow, velocity, false};
    field[3] = (struct record_field){COLUMN_ID, 1, whole,
                                     record_size(tipsy, kind) - sizeof(uint32_t), false};
}

/* Whether the last words of the records can be ids; *differ: they are not all equal. */
static bool are_ids(const struct tipsy *tipsy, const unsigned char *records, size_t count,
                    bool *differ)
{
    const size_t size = record_size(tipsy, tipsy->kind);
    const uint32_t first = bytes_u32(records + size - 4, tipsy->swap);
    *differ = false;
    for (size_t i = 0; i < count; i++) {
        const uint32_t word = bytes_u32(records + (i + 1) * size - 4, tipsy->swap);
        if (word >= IDS_END)
            return false;
        *differ |= word != first;
    }
    return true;
}

/* Notes fields of a record besides mass, position and velocity; the last may be an id. */
static void note_unread(const struct tipsy *tipsy, const unsigned char *records, size_t count)
{
    enum { PLAIN = 7 };
    static const char *const fields[KINDS][12 - PLAIN] = {
        {"rho", "temp", "hsmooth", "metals", "phi"},
        {"eps", "phi"},
        {"metals", "tform", "eps", "phi"}};
    const int kind = tipsy->kind;
    const size_t size = record_size(tipsy, kind);
    for (size_t w = PLAIN; w < words[kind]; w++) {
        const uint32_t least = w + 1 < words[kind] ? 1 : IDS_END;
        const size_t from_end = (words[kind] - w) * sizeof(float);
        size_t i = 0;
        while (i < count && bytes_u32(records + (i + 1) * size - from_end, tipsy->swap) < least)
            i++;
        if (i < count)
            snapshot_leave(tipsy->out, fields[kind][w - PLAIN]);
    }
}

/* The first records decide whether there are ids; if later ones disagree, there are none. */
static enum status see(void *user, const unsigned char *records, size_t first, size_t count)
{
    const struct tipsy *tipsy = user;
    struct bodies *bodies = tipsy->out->bodies;
    bool differ;
    const bool ids = are_ids(tipsy, records, count, &differ);
    note_unread(tipsy, records, count);
    if (first == 0 && ids && differ)
        return bodies_add_ids(bodies, tipsy->rows.room);
    if (!ids) {
        free(bodies->id);
        bodies->id = NULL;
    }
    return STATUS_OK;
}

static enum status read_kind(struct tipsy *tipsy, int kind)
{
    struct bodies *bodies = tipsy->out->bodies;
    struct record_field fields[FIELDS];
    const struct record_block block = {.path = tipsy->path,
                                       .what = "its particles",
                                       .input = tipsy->input,
                                       .fields = fields,
                                       .field_count = FIELDS,
                                       .count = tipsy->count[kind],
                                       .size = record_size(tipsy, kind),
                                       .see = see,
                                       .user = tipsy};
    place_fields(tipsy, kind, fields);
    tipsy->kind = kind;
    const size_t first = bodies->count;
    enum status status = records_read(&block, &tipsy->rows, first);
    bodies->count += status == STATUS_OK ? (size_t)block.count : 0;
    return status == STATUS_OK
               ? bodies_check(bodies, first, (size_t)block.count, first, tipsy->path)
               : status;
}

static void name_components(struct bodies *bodies, const struct tipsy *tipsy)
{
    bodies->component_count = KINDS;
    bodies->components = memory_grow(bodies->components, KINDS, sizeof *bodies->components);
    for (int k = 0; k < KINDS; k++) {
        struct component *component = &bodies->components[k];
        *component = (struct component){.count = (size_t)tipsy->count[k], .light = 1};
        snprintf(component->name, BODIES_NAME_MAX, "%s", names[k]);
    }
    species_hide_haloes(bodies);
}

static enum status read_bodies(struct tipsy *tipsy)
{
    const bool known = body_input_left(tipsy->input) != UINT64_MAX;
    enum status status =
        body_rows_begin(&tipsy->rows, tipsy->out, known ? (size_t)tipsy->total : 0);
    for (int k = 0; k < KINDS && status == STATUS_OK; k++)
        status = read_kind(tipsy, k);
    if (status == STATUS_OK)
        status = bodies_make_room(tipsy->out->bodies, tipsy->out->bodies->count);
    if (status == STATUS_OK)
        name_components(tipsy->out->bodies, tipsy);
    return status == STATUS_OK ? body_input_end(tipsy->input) : status;
}

static enum status read(const char *path, struct snapshot *out)
{
    struct tipsy tipsy = {.path = path, .out = out};
    enum status status = body_input_open(&tipsy.input, path);
    if (status == STATUS_OK)
        status = read_header(&tipsy);
    if (status == STATUS_OK)
        status = read_bodies(&tipsy);
    if (status == STATUS_OK && out->bodies->id)
        log_info("%s: the potentials of its particles are whole numbers, and are read as ids",
                 path);
    out->single = !tipsy.wide_position;
    out->time = tipsy.time;
    out->time_known = true;
    body_input_close(&tipsy.input);
    return status;
}

/* ---- writing ---- */

/* The kind of particle that a species is written as. */
static const int kind_of[SPECIES_COUNT] = {
    [SPECIES_GAS] = 0,  [SPECIES_HALO] = 1,  [SPECIES_BOUNDARY] = 1,
    [SPECIES_DISK] = 2, [SPECIES_BULGE] = 2, [SPECIES_STARS] = 2,
};

/* Whether reading would recover the ids. */
static bool keeps_ids(const struct bodies *bodies)
{
    bool differ = false;
    for (size_t i = 0; bodies->id && i < bodies->count && i < RECORDS_CHUNK; i++)
        differ |= bodies->id[i] != bodies->id[0];
    return differ && records_keep_ids(bodies, IDS_END);
}

static void write_species(struct body_output *output, const struct bodies *bodies,
                          enum species species, bool ids, bool swap)
{
    size_t c;
    const int kind = kind_of[species];
    const struct tipsy tipsy = {.swap = swap};
    struct record_field fields[FIELDS];
    place_fields(&tipsy, kind, fields);
    for (size_t i = species_first(bodies, species, &c); i < bodies->count;
         i = species_next(bodies, species, &c, i)) {
        unsigned char record[12 * sizeof(float)] = {0};
        record_make(fields, ids ? FIELDS : FIELDS - 1, bodies, i, c, record);
        bytes_put_f32(record + sizeof(float) * (kind == 1 ? 7 : 9),
                      (float)bodies->components[c].softening, swap);
        body_output_put(output, record, record_size(&tipsy, kind));
    }
}

static enum status write_file(const char *path, const struct snapshot *snapshot, bool swap)
{
    const struct bodies *bodies = snapshot->bodies;
    const bool ids = keeps_ids(bodies);
    size_t count[SPECIES_COUNT], kinds[KINDS] = {0};
    unsigned char head[HEADER + PADDING] = {0};
    struct body_output *output;
    species_count(bodies, count);
    for (int s = 0; s < SPECIES_COUNT; s++)
        kinds[kind_of[s]] += count[s];
    bytes_put_f64(head, snapshot->time_known ? snapshot->time : 0, swap);
    bytes_put_u32(head + 8, (uint32_t)bodies->count, swap);
    bytes_put_u32(head + 12, 3, swap);
    for (int k = 0; k < KINDS; k++)
        bytes_put_u32(head + 16 + 4 * k, (uint32_t)kinds[k], swap);
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_output_put(output, head, sizeof head);
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < SPECIES_COUNT; s++)
            if (kind_of[s] == k)
                write_species(output, bodies, (enum species)s, ids, swap);
    return body_output_close(&output, STATUS_OK);
}

static enum status write_standard(const char *path, const struct snapshot *snapshot)
{
    return write_file(path, snapshot, true);
}

static enum status write_native(const char *path, const struct snapshot *snapshot)
{
    return write_file(path, snapshot, false);
}

static bool never(const struct format_head *head)
{
    (void)head;
    return false;
}

const struct format format_tipsy = {
    .name = "tipsy",
    .doc = "Tipsy's binary files; read in either order of bytes, written standard (big-endian)",
    .extensions = "tipsy std bin",
    .keeps = KEEPS_COMPONENTS | KEEPS_IDS | KEEPS_TIME,
    .ids_end = IDS_END,
    .names = names,
    .probe = probe,
    .read = read,
    .write = write_standard,
};

const struct format format_tipsy_native = {
    .name = "tipsy-native",
    .doc = "the same, written native (little-endian)",
    .extensions = "",
    .keeps = KEEPS_COMPONENTS | KEEPS_IDS | KEEPS_TIME,
    .ids_end = IDS_END,
    .names = names,
    .probe = never,
    .read = read,
    .write = write_native,
};
