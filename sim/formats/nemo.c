/* NEMO's snapshots: "structured files", in either byte order. Each item has a magic number, a type
 * of one letter, a tag, the dimensions of an array and its numbers; a set contains items up to its
 * end. Layout: NEMO's filestruct(5NEMO) and snapshot(5NEMO) (J. Barnes, P. Teuben). Only the first
 * snapshot with particles is read. */
#include "sim/formats/formats.h"

#include "base/log.h"
#include "sim/formats/records.h"

#include <math.h>
#include <string.h>

enum {
    SINGLE = 0x0992, /* one value; byte-swapped in the other byte order */
    PLURAL = 0x0b92, /* an array */
    TAG_MAX = 65,
    DIMENSIONS_MAX = 9,
    DEPTH_MAX = 8,
    CARTESIAN = 1 << 16,
    COORDINATES = CARTESIAN | 3 << 8 | 2, /* three dimensions with two derivatives */
};
#define COUNT_MAX ((uint64_t)1 << 40)
#define IDS_END   ((uint64_t)1 << 31)

struct item {
    char type; /* a letter of `widths`, ( or ) */
    char tag[TAG_MAX];
    unsigned dimensions; /* 0: one value */
    uint64_t rows;       /* the first dimension, or 1 */
    uint64_t count;      /* number of values, 0 for a set */
    unsigned bytes;      /* per value */
};

struct nemo {
    const char *path;
    struct body_input *input;
    struct snapshot *out;
    bool swap, begun;
    uint64_t bodies; /* 0: not known yet */
    bool has[COLUMNS];
    struct body_rows rows;
};

static const struct {
    char type;
    unsigned bytes;
} widths[] = {{'a', 1}, {'b', 1}, {'c', 1}, {'s', 2}, {'h', 2},
              {'i', 4}, {'l', 8}, {'f', 4}, {'d', 8}};

static enum status damaged(const struct nemo *nemo, const char *where)
{
    return status_fail(STATUS_USAGE,
                       "%s is a damaged NEMO file: no valid item follows %s; copy or save it again",
                       nemo->path, *where ? where : "its beginning");
}

/* ---- items ---- */

static enum status take(const struct nemo *nemo, void *to, size_t size)
{
    return body_input_take(nemo->input, to, size, "an item of its structure");
}

/* Zero if it is not a magic number in this byte order. */
static uint32_t magic_of(const unsigned char bytes[2], bool swap)
{
    const uint32_t magic =
        swap ? (uint32_t)bytes[0] << 8 | bytes[1] : (uint32_t)bytes[1] << 8 | bytes[0];
    return magic == SINGLE || magic == PLURAL ? magic : 0;
}

static enum status read_tag(const struct nemo *nemo, struct item *out)
{
    for (size_t i = 0; i < TAG_MAX; i++) {
        const enum status status = take(nemo, &out->tag[i], 1);
        if (status != STATUS_OK || !out->tag[i])
            return status;
    }
    out->tag[TAG_MAX - 1] = '\0';
    return damaged(nemo, out->tag);
}

static enum status read_dimensions(const struct nemo *nemo, struct item *out)
{
    for (out->dimensions = 0; out->dimensions <= DIMENSIONS_MAX; out->dimensions++) {
        unsigned char bytes[4];
        const enum status status = take(nemo, bytes, sizeof bytes);
        const uint32_t size = status == STATUS_OK ? bytes_u32(bytes, nemo->swap) : 0;
        if (status != STATUS_OK || size == 0)
            return status;
        if (out->dimensions == 0)
            out->rows = size;
        out->count *= size;
        if (out->count > COUNT_MAX)
            break;
    }
    return damaged(nemo, out->tag);
}

static enum status read_width(const struct nemo *nemo, struct item *out)
{
    if (out->type == '(' || out->type == ')') {
        out->count = 0;
        return STATUS_OK;
    }
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (widths[i].type == out->type)
            out->bytes = widths[i].bytes;
    return out->bytes > 0 ? STATUS_OK : damaged(nemo, out->tag);
}

/* Reads up to the item's numbers. *end: there was no further item. */
static enum status next_item(struct nemo *nemo, struct item *out, bool *end)
{
    unsigned char magic[2], type[2];
    size_t got;
    *out = (struct item){.rows = 1, .count = 1};
    enum status status = body_input_read(nemo->input, magic, 1, &got);
    *end = got == 0;
    if (status == STATUS_OK && got > 0)
        status = take(nemo, magic + 1, 1);
    if (status != STATUS_OK || got == 0)
        return status;
    if (!nemo->begun)
        nemo->swap = !magic_of(magic, false); /* the first item shows the byte order */
    if (!magic_of(magic, nemo->swap))
        return damaged(nemo, nemo->begun ? "an item" : "");
    nemo->begun = true;
    status = take(nemo, type, sizeof type);
    if (status != STATUS_OK)
        return status;
    out->type = (char)type[0];
    if (type[1] != '\0')
        return damaged(nemo, "an item");
    if (out->type != ')')
        status = read_tag(nemo, out);
    if (status == STATUS_OK && magic_of(magic, nemo->swap) == PLURAL)
        status = read_dimensions(nemo, out);
    return status == STATUS_OK ? read_width(nemo, out) : status;
}

/* The same within a set, where an item must follow. */
static enum status item_of_set(struct nemo *nemo, struct item *out)
{
    bool end;
    const enum status status = next_item(nemo, out, &end);
    if (status == STATUS_OK && end)
        return status_fail(STATUS_USAGE, "%s ends within a set; copy or save it again", nemo->path);
    return status;
}

static enum status skip(struct nemo *nemo, const struct item *item)
{
    if (item->type != '(')
        return body_input_skip(nemo->input, item->count * item->bytes, item->tag);
    enum status status = STATUS_OK;
    for (int depth = 1; depth > 0 && status == STATUS_OK;) {
        struct item inner;
        status = item_of_set(nemo, &inner);
        depth += inner.type == '(' ? 1 : inner.type == ')' ? -1 : 0;
        if (status == STATUS_OK && depth > DEPTH_MAX)
            status = damaged(nemo, inner.tag);
        if (status == STATUS_OK)
            status = body_input_skip(nemo->input, inner.count * inner.bytes, inner.tag);
    }
    return status;
}

/* ---- arrays ---- */

static struct number_type type_of(const struct nemo *nemo, const struct item *item)
{
    const bool real = item->type == 'f' || item->type == 'd',
               whole = item->type == 'i' || item->type == 'l';
    return (struct number_type){real ? 'f' : whole ? 'i' : 0, item->bytes, nemo->swap};
}

static enum status read_one(struct nemo *nemo, const struct item *item, double *out)
{
    unsigned char bytes[8];
    const struct number_type type = type_of(nemo, item);
    if (item->count != 1 || type.kind == 0)
        return damaged(nemo, item->tag);
    const enum status status = take(nemo, bytes, item->bytes);
    *out = status == STATUS_OK ? number_at(&type, bytes) : 0;
    return status;
}

/* Begins an array of `across` numbers per body. The first array gives the number of bodies; memory
 * for them is allocated at once if the file is known to be long enough, otherwise as they
 * arrive. */
static enum status begin_array(struct nemo *nemo, const struct item *item, uint64_t across)
{
    const uint64_t rows = item->count / across;
    if (item->count % across != 0 || (item->dimensions > 0 && item->rows != rows))
        return status_fail(STATUS_USAGE, "%s: the dimensions of %s are not those of bodies",
                           nemo->path, item->tag);
    if (nemo->bodies > 0 && rows != nemo->bodies)
        return status_fail(STATUS_USAGE, "%s: %s has %llu rows for %llu bodies", nemo->path,
                           item->tag, (unsigned long long)rows, (unsigned long long)nemo->bodies);
    const bool known = body_input_left(nemo->input) != UINT64_MAX;
    enum status status = body_rows_check(nemo->path, rows);
    if (status == STATUS_OK)
        status = body_input_promise(nemo->input, item->count, item->bytes, item->tag);
    nemo->bodies = rows;
    if (status == STATUS_OK && !nemo->out->bodies)
        status = body_rows_begin(&nemo->rows, nemo->out, known ? (size_t)rows : 0);
    return status;
}

/* The arrays of Particles, and the columns that they fill. */
static const struct array {
    const char *tag;
    int column;
    unsigned across;
    bool whole;
} arrays[] = {
    {"Mass", COLUMN_MASS, 1, false},   {"PhaseSpace", COLUMN_X, 6, false},
    {"Position", COLUMN_X, 3, false},  {"Velocity", COLUMN_VX, 3, false},
    {"Vecolity", COLUMN_VX, 3, false}, /* as AMUSE writes it */
    {"Key", COLUMN_ID, 1, true},
};

static enum status read_array(struct nemo *nemo, const struct item *item, const struct array *array)
{
    struct record_field field = {array->column, array->across, type_of(nemo, item), 0, false};
    enum status status = begin_array(nemo, item, array->across);
    if (status == STATUS_OK && array->whole)
        status = bodies_add_ids(nemo->out->bodies, nemo->rows.room);
    const struct record_block block = {.path = nemo->path,
                                       .what = item->tag,
                                       .input = nemo->input,
                                       .fields = &field,
                                       .field_count = 1,
                                       .count = nemo->bodies,
                                       .size = (size_t)array->across * item->bytes};
    for (unsigned k = 0; k < array->across; k++)
        nemo->has[array->column + (int)k] = true;
    if (array->column != COLUMN_MASS && !array->whole)
        nemo->out->single &= item->type == 'f';
    return status == STATUS_OK ? records_read(&block, &nemo->rows, 0) : status;
}

static enum status read_coordinates(struct nemo *nemo, const struct item *item)
{
    double code;
    const enum status status = read_one(nemo, item, &code);
    if (status == STATUS_OK && !(code >= 0 && ((long)code & 0xffff00) == (CARTESIAN | 3 << 8)))
        return status_fail(STATUS_USAGE,
                           "%s has coordinates that are not Cartesian in three dimensions; "
                           "convert it with NEMO",
                           nemo->path);
    return status;
}

/* ---- sets ---- */

static enum status read_field(struct nemo *nemo, const struct item *item)
{
    const char kind = type_of(nemo, item).kind;
    if (strcmp(item->tag, "CoordSystem") == 0)
        return read_coordinates(nemo, item);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (strcmp(item->tag, arrays[i].tag) != 0)
            continue;
        if (kind == (arrays[i].whole ? 'i' : 'f'))
            return read_array(nemo, item, &arrays[i]);
        if (!arrays[i].whole)
            return status_fail(STATUS_USAGE, "%s: %s is not of float or double", nemo->path,
                               item->tag);
    }
    snapshot_leave(nemo->out, item->tag);
    return skip(nemo, item);
}

static enum status read_particles(struct nemo *nemo)
{
    for (struct item item;;) {
        enum status status = item_of_set(nemo, &item);
        if (status == STATUS_OK && item.type == ')')
            break;
        if (status == STATUS_OK)
            status = read_field(nemo, &item);
        if (status != STATUS_OK)
            return status;
    }
    if (nemo->has[COLUMN_MASS] && nemo->has[COLUMN_X] && nemo->has[COLUMN_VX])
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "%s has a snapshot without %s; save it with NEMO's snapcopy",
                       nemo->path,
                       !nemo->has[COLUMN_MASS] ? "Mass"
                       : !nemo->has[COLUMN_X]  ? "PhaseSpace or Position"
                                               : "PhaseSpace or Velocity");
}

static enum status read_parameters(struct nemo *nemo)
{
    for (struct item item;;) {
        double value = 0;
        enum status status = item_of_set(nemo, &item);
        if (status != STATUS_OK || item.type == ')')
            return status;
        if (strcmp(item.tag, "Nobj") == 0) {
            status = read_one(nemo, &item, &value);
            if (status == STATUS_OK && !(value >= 1 && value <= BODY_ROWS_MAX))
                status = status_fail(STATUS_USAGE,
                                     "%s declares %g bodies; 1 to %d are "
                                     "supported",
                                     nemo->path, value, (int)BODY_ROWS_MAX);
            nemo->bodies = status == STATUS_OK ? (uint64_t)value : 0;
        } else if (strcmp(item.tag, "Time") == 0) {
            status = read_one(nemo, &item, &value);
            nemo->out->time = value;
            nemo->out->time_known = isfinite(value);
        } else
            status = skip(nemo, &item);
        if (status != STATUS_OK)
            return status;
    }
}

static enum status read_snapshot(struct nemo *nemo)
{
    nemo->bodies = 0;
    for (struct item item;;) {
        enum status status = item_of_set(nemo, &item);
        if (status != STATUS_OK || item.type == ')')
            return status;
        if (item.type == '(' && strcmp(item.tag, "Parameters") == 0)
            status = read_parameters(nemo);
        else if (item.type == '(' && strcmp(item.tag, "Particles") == 0 && !nemo->out->bodies)
            status = read_particles(nemo);
        else
            status = skip(nemo, &item);
        if (status != STATUS_OK)
            return status;
    }
}

/* Reads up to the end of the first snapshot with particles; snapshots that contain only diagnostics
 * are skipped. */
static enum status find_snapshot(struct nemo *nemo)
{
    bool end = false;
    while (!nemo->out->bodies) {
        struct item item;
        enum status status = next_item(nemo, &item, &end);
        if (status == STATUS_OK && end)
            return status_fail(STATUS_USAGE, "%s is a NEMO file without a snapshot of particles",
                               nemo->path);
        if (status == STATUS_OK && item.type == '(' && strcmp(item.tag, "SnapShot") == 0)
            status = read_snapshot(nemo);
        else if (status == STATUS_OK)
            status = skip(nemo, &item);
        if (status != STATUS_OK)
            return status;
    }
    struct item next;
    enum status status = next_item(nemo, &next, &end);
    if (status == STATUS_OK && !end && strcmp(next.tag, "SnapShot") == 0)
        log_info("%s holds several times, and the first is read", nemo->path);
    return status;
}

static enum status read(const char *path, struct snapshot *out)
{
    struct nemo nemo = {.path = path, .out = out};
    out->single = true;
    enum status status = body_input_open(&nemo.input, path);
    if (status == STATUS_OK)
        status = find_snapshot(&nemo);
    body_input_close(&nemo.input);
    if (status != STATUS_OK)
        return status;
    out->bodies->count = (size_t)nemo.bodies;
    status = bodies_check(out->bodies, 0, out->bodies->count, 0, path);
    body_rows_end(&nemo.rows);
    return status;
}

/* ---- writing ---- */

static void put_head(struct body_output *output, char type, const char *tag, const uint32_t *size)
{
    const uint16_t magic = size ? PLURAL : SINGLE;
    const char letter[2] = {type, '\0'};
    body_output_put(output, &magic, sizeof magic);
    body_output_put(output, letter, sizeof letter);
    if (tag)
        body_output_put(output, tag, strlen(tag) + 1);
    for (bool more = size; more; size++) {
        body_output_put(output, size, sizeof *size);
        more = *size != 0;
    }
}

static void put_array(struct body_output *output, const char *tag, const struct record_field *field,
                      const uint32_t *size, const struct bodies *bodies)
{
    const struct number_type *type = &field->type;
    put_head(output, type->kind == 'i' ? 'i' : type->bytes == 4 ? 'f' : 'd', tag, size);
    records_write(output, field, 1, (size_t)field->across * type->bytes, bodies);
}

static void put_particles(struct body_output *output, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const uint32_t count = (uint32_t)bodies->count, one[] = {count, 0}, six[] = {count, 2, 3, 0};
    const int32_t coordinates = COORDINATES;
    const bool mass = snapshot_narrow(snapshot, bodies->mass, count),
               space = snapshot_narrow(snapshot, bodies->position[0], 3 * (size_t)count) &&
                       snapshot_narrow(snapshot, bodies->velocity[0], 3 * (size_t)count);
    put_head(output, 'i', "CoordSystem", NULL);
    body_output_put(output, &coordinates, sizeof coordinates);
    struct record_field field = {COLUMN_MASS, 1, {'f', mass ? 4 : 8, false}, 0, false};
    put_array(output, "Mass", &field, one, bodies);
    field = (struct record_field){COLUMN_X, 6, {'f', space ? 4 : 8, false}, 0, false};
    put_array(output, "PhaseSpace", &field, six, bodies);
    field = (struct record_field){COLUMN_ID, 1, {'i', 4, false}, 0, false};
    if (records_keep_ids(bodies, IDS_END))
        put_array(output, "Key", &field, one, bodies);
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const int32_t count = (int32_t)snapshot->bodies->count;
    const double time = snapshot->time_known ? snapshot->time : 0;
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    put_head(output, '(', "SnapShot", NULL);
    put_head(output, '(', "Parameters", NULL);
    put_head(output, 'i', "Nobj", NULL);
    body_output_put(output, &count, sizeof count);
    put_head(output, 'd', "Time", NULL);
    body_output_put(output, &time, sizeof time);
    put_head(output, ')', NULL, NULL);
    put_head(output, '(', "Particles", NULL);
    put_particles(output, snapshot);
    put_head(output, ')', NULL, NULL);
    put_head(output, ')', NULL, NULL);
    return body_output_close(&output, STATUS_OK);
}

/* Recognizes the magic number and a type of one letter. */
static bool probe(const struct format_head *head)
{
    const unsigned char *bytes = head->bytes;
    return head->size >= 4 && (magic_of(bytes, false) || magic_of(bytes, true)) &&
           (bytes[2] == '(' || bytes[2] == 'c') && bytes[3] == '\0';
}

const struct format format_nemo = {
    .name = "nemo",
    .doc = "NEMO's snapshots in structured files, in either byte order",
    .extensions = "nemo snap",
    .keeps = KEEPS_IDS | KEEPS_TIME | KEEPS_DOUBLES,
    .ids_end = IDS_END,
    .probe = probe,
    .read = read,
    .write = write,
};
