/* GADGET's binary snapshots, in either byte order and in one or several files. Blocks are
 * unformatted Fortran records: a header of 256 bytes, positions, velocities, ids, and the masses of
 * types without one in the header; later blocks are not read. In format 2, a record of 8 bytes with
 * a name of four letters precedes each block. Layout: V. Springel, "User guide for GADGET-2",
 * section 6. */
#include "sim/formats/formats.h"

#include "base/log.h"
#include "base/memory.h"
#include "sim/formats/records.h"
#include "sim/formats/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 256, LABEL = 8, FILES_MAX = 4096, TYPES = SPECIES_COUNT };

struct header {
    uint32_t count[TYPES];
    double mass[TYPES];
    double time, redshift;
    uint32_t files;
};

/* A file of the snapshot, being read. */
struct part {
    const char *path;
    struct body_input *input;
    bool swap, labels; /* labels: format 2 */
    struct header header;
    size_t total;
};

static enum status broken(const struct part *part, const char *block)
{
    return status_fail(STATUS_USAGE,
                       "%s is a damaged GADGET file: the lengths around its block of %s do not fit "
                       "its numbers of particles; copy or save it again",
                       part->path, block);
}

/* Reads the length that surrounds a record. */
static enum status read_length(const struct part *part, const char *block, uint32_t *out)
{
    unsigned char bytes[4];
    enum status status = body_input_take(part->input, bytes, sizeof bytes, block);
    *out = status == STATUS_OK ? bytes_u32(bytes, part->swap) : 0;
    return status;
}

static enum status end_record(const struct part *part, const char *block, uint32_t length)
{
    uint32_t again;
    enum status status = read_length(part, block, &again);
    return status == STATUS_OK && again != length ? broken(part, block) : status;
}

/* Skips the name of format 2 and reads the block's length; its content follows. */
static enum status begin_block(const struct part *part, const char *block, uint32_t *length)
{
    enum status status = read_length(part, block, length);
    if (status != STATUS_OK || !part->labels)
        return status;
    if (*length != LABEL)
        return broken(part, block);
    status = body_input_skip(part->input, LABEL, block);
    if (status == STATUS_OK)
        status = end_record(part, block, LABEL);
    return status == STATUS_OK ? read_length(part, block, length) : status;
}

/* ---- the header ---- */

/* Whether the file begins with a record of this length. */
static bool begins_with(const unsigned char *head, uint32_t length, bool *swap)
{
    *swap = bytes_u32(head, true) == length;
    return *swap || bytes_u32(head, false) == length;
}

static bool recognize(const unsigned char *head, size_t size, bool *swap, bool *labels)
{
    *labels = size >= 8 && begins_with(head, LABEL, swap);
    if (*labels)
        return memcmp(head + 4, "HEAD", 4) == 0;
    return size >= 4 && begins_with(head, HEADER, swap);
}

static bool probe_as(const struct format_head *head, bool labels)
{
    bool swap, found;
    return recognize(head->bytes, head->size, &swap, &found) && found == labels;
}

static void parse(struct part *part, const unsigned char *bytes)
{
    struct header *header = &part->header;
    for (int t = 0; t < TYPES; t++) {
        header->count[t] = bytes_u32(bytes + 4 * t, part->swap);
        header->mass[t] = bytes_f64(bytes + 24 + 8 * t, part->swap);
        part->total += header->count[t];
    }
    header->time = bytes_f64(bytes + 72, part->swap);
    header->redshift = bytes_f64(bytes + 80, part->swap);
    header->files = bytes_u32(bytes + 124, part->swap);
}

static enum status check_header(const struct part *part)
{
    const struct header *header = &part->header;
    for (int t = 0; t < TYPES; t++)
        if (!(header->mass[t] >= 0 && isfinite(header->mass[t])))
            return status_fail(STATUS_USAGE,
                               "%s: its header gives the particles of type %d (%s) the mass %g, "
                               "and it must be finite and not negative",
                               part->path, t, species_names[t], header->mass[t]);
    if (!isfinite(header->time))
        return status_fail(STATUS_USAGE, "%s: its header's time is not a finite number",
                           part->path);
    if (header->files > FILES_MAX)
        return status_fail(STATUS_USAGE,
                           "%s: its header says that the snapshot is in %u files, and at most %d "
                           "can be read",
                           part->path, header->files, FILES_MAX);
    if (part->total > BODY_ROWS_MAX)
        return body_rows_check(part->path, part->total);
    /* positions and velocities in float32, ids of 4 bytes */
    return body_input_promise(part->input, part->total, 28, "its particles");
}

/* The length of the first record gives the byte order and the format. */
static enum status begin_file(struct part *part)
{
    unsigned char bytes[4];
    uint32_t length;
    enum status status = body_input_take(part->input, bytes, sizeof bytes, "its header");
    if (status != STATUS_OK)
        return status;
    part->labels = begins_with(bytes, LABEL, &part->swap);
    if (!part->labels && !begins_with(bytes, HEADER, &part->swap))
        return status_fail(STATUS_USAGE,
                           "%s is not a GADGET file: it does not begin with a header of 256 bytes",
                           part->path);
    if (!part->labels)
        return STATUS_OK;
    status = body_input_skip(part->input, LABEL, "its header");
    if (status == STATUS_OK)
        status = end_record(part, "the header", LABEL);
    if (status == STATUS_OK)
        status = read_length(part, "the header", &length);
    return status == STATUS_OK && length != HEADER ? broken(part, "the header") : status;
}

static enum status open_part(struct part *part, const char *path)
{
    unsigned char bytes[HEADER];
    *part = (struct part){.path = path};
    enum status status = body_input_open(&part->input, path);
    if (status == STATUS_OK)
        status = begin_file(part);
    if (status == STATUS_OK)
        status = body_input_take(part->input, bytes, sizeof bytes, "its header");
    if (status != STATUS_OK)
        return status;
    parse(part, bytes);
    status = end_record(part, "the header", HEADER);
    return status == STATUS_OK ? check_header(part) : status;
}

/* ---- several files ---- */

/* The headers of all files; each file is opened again for reading, because there may be many. */
struct parts {
    size_t count;
    struct part *list;
    char **paths;
};

static void close_parts(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        free(parts->paths[i]);
    free(parts->list);
    free(parts->paths);
}

static enum status open_parts(struct parts *parts, const char *path)
{
    struct part first;
    enum status status = open_part(&first, path);
    const size_t files = first.header.files > 1 ? first.header.files : 1;
    body_input_close(&first.input);
    if (status != STATUS_OK)
        return status;
    parts->list = memory_new(files, sizeof *parts->list);
    parts->paths = memory_new(files, sizeof *parts->paths);
    for (size_t i = 0; i < files && status == STATUS_OK; i++) {
        char *name = files > 1 ? parts_name(path, i) : memory_text(path);
        if (!name)
            return status_fail(STATUS_USAGE,
                               "%s is one of the %zu files of a snapshot, and its name does not "
                               "end in .0 or another number; give the files the names that GADGET "
                               "gave them",
                               path, files);
        parts->paths[i] = name;
        parts->count++;
        status = open_part(&parts->list[i], name);
        body_input_close(&parts->list[i].input);
        if (status == STATUS_OK && parts->list[i].header.files != first.header.files)
            status = status_fail(STATUS_USAGE,
                                 "%s says that its snapshot is in %u files, and %s says %u; they "
                                 "are of different snapshots",
                                 name, parts->list[i].header.files, path, first.header.files);
    }
    return status;
}

/* ---- the blocks ---- */

/* For each type: where the next body is stored (`at`), its row in the whole (`row`), and how many
 * of the rows still to be read lie before the slice (`before`) and in it (`left`). */
struct target {
    struct body_rows rows;
    size_t at[TYPES], row[TYPES], before[TYPES], left[TYPES];
};

/* The rows of a type in a file that come before the slice, and that are in it. */
struct range {
    size_t before, count;
};

static struct range range_of(const struct part *part, const struct target *target, int type)
{
    const size_t rows = part->header.count[type],
                 before = target->before[type] < rows ? target->before[type] : rows,
                 rest = rows - before;
    return (struct range){before, target->left[type] < rest ? target->left[type] : rest};
}

/* The blocks in their order, and the columns that they fill. */
static const struct block {
    const char *name, *label;
    int column;
    unsigned across;
} blocks[] = {
    {"positions", "POS ", COLUMN_X, 3},
    {"velocities", "VEL ", COLUMN_VX, 3},
    {"ids", "ID  ", COLUMN_ID, 1},
    {"masses", "MASS", COLUMN_MASS, 1},
};
enum { BLOCKS = sizeof blocks / sizeof blocks[0] };

/* Its numbers as fields of records: one record per body. */
static struct record_field field_of(const struct block *block, unsigned bytes, bool swap)
{
    return (struct record_field){.column = block->column,
                                 .across = block->across,
                                 .type = {block->column == COLUMN_ID ? 'u' : 'f', bytes, swap}};
}

/* Whether bodies of the type have values in the block. */
static bool has(const struct header *header, const struct block *block, int type)
{
    return header->count[type] > 0 && (block->column != COLUMN_MASS || header->mass[type] == 0);
}

/* Skips values of a type that are outside the slice: `rows` bodies of `size` bytes. */
static enum status pass_over(const struct part *part, uint64_t rows, size_t size)
{
    return body_input_skip(part->input, rows * size, "its particles");
}

static enum status read_values(const struct part *part, struct record_field *field, int type,
                               struct target *target)
{
    const struct range range = range_of(part, target, type);
    const struct record_block block = {.path = part->path,
                                       .what = "its particles",
                                       .input = part->input,
                                       .fields = field,
                                       .field_count = 1,
                                       .count = range.count,
                                       .size = (size_t)field->across * field->type.bytes};
    enum status status = pass_over(part, range.before, block.size);
    if (status == STATUS_OK)
        status = records_read(&block, &target->rows, target->at[type]);
    return status == STATUS_OK
               ? pass_over(part, part->header.count[type] - range.before - range.count, block.size)
               : status;
}

static enum status read_block(const struct part *part, const struct block *block,
                              struct target *target, bool *single)
{
    uint32_t length;
    uint64_t count = 0;
    for (int t = 0; t < TYPES; t++)
        count += has(&part->header, block, t) ? part->header.count[t] : 0;
    if (count == 0)
        return STATUS_OK;
    enum status status = begin_block(part, block->name, &length);
    if (status != STATUS_OK)
        return status;
    struct record_field field =
        field_of(block, length == count * block->across * 8 ? 8 : 4, part->swap);
    if (length != count * block->across * field.type.bytes)
        return broken(part, block->name);
    if (block->column != COLUMN_ID)
        *single &= field.type.bytes == 4;
    for (int t = 0; t < TYPES && status == STATUS_OK; t++)
        if (has(&part->header, block, t))
            status = read_values(part, &field, t, target);
    return status == STATUS_OK ? end_record(part, block->name, length) : status;
}

/* Notes the names of the remaining blocks, or their number. */
static void note_unread(const struct part *part, struct snapshot *out)
{
    enum status status = STATUS_OK;
    unsigned char bytes[4];
    char text[48];
    size_t got, behind = 0;
    for (;; behind++) {
        uint32_t length = 0;
        char label[5] = "";
        status = body_input_read(part->input, bytes, sizeof bytes, &got);
        if (status != STATUS_OK || got == 0)
            break;
        length = bytes_u32(bytes, part->swap);
        if (got < sizeof bytes || (part->labels && length != LABEL))
            break; /* anything else ends the blocks */
        if (part->labels) {
            status = body_input_take(part->input, label, 4, "a label");
            if (status == STATUS_OK)
                status = body_input_skip(part->input, 4, "a label");
            if (status == STATUS_OK)
                status = end_record(part, "a label", LABEL);
            if (status == STATUS_OK)
                status = read_length(part, "a block", &length);
        }
        if (status == STATUS_OK)
            status = body_input_skip(part->input, length, "a block");
        if (status == STATUS_OK)
            status = end_record(part, "a block", length);
        if (status != STATUS_OK)
            break;
        label[strcspn(label, " ")] = '\0';
        if (*label)
            snapshot_leave(out, label);
    }
    if (behind > 0 && !part->labels) {
        snprintf(text, sizeof text, "%zu block%s behind the masses", behind,
                 behind == 1 ? "" : "s");
        snapshot_leave(out, text);
    }
}

static enum status read_part(const struct part *part, struct target *target, bool *single)
{
    const struct bodies *bodies = target->rows.snapshot->bodies;
    enum status status = STATUS_OK;
    for (int t = 0; t < TYPES; t++)
        for (size_t i = 0, count = range_of(part, target, t).count; i < count; i++)
            bodies->mass[target->at[t] + i] = part->header.mass[t];
    for (size_t b = 0; b < BLOCKS && status == STATUS_OK; b++)
        status = read_block(part, &blocks[b], target, single);
    for (int t = 0; t < TYPES && status == STATUS_OK; t++) {
        const struct range range = range_of(part, target, t);
        status = bodies_check(bodies, target->at[t], range.count, target->row[t], part->path);
        target->at[t] += range.count;
        target->row[t] += range.count;
        target->before[t] -= range.before;
        target->left[t] -= range.count;
    }
    return status;
}

/* A packed file may not contain what its header promises, so its blocks are counted before memory
 * is allocated. */
static enum status check_packed(const struct part *part)
{
    struct body_input *input;
    unsigned char *bytes;
    enum { PIECE = 1 << 16 };
    enum status status = body_input_open(&input, part->path);
    if (status != STATUS_OK || body_input_left(input) != UINT64_MAX) {
        body_input_close(&input);
        return status;
    }
    bytes = memory_new(1, PIECE);
    uint64_t size = 0;
    for (size_t got = PIECE; got == PIECE && status == STATUS_OK; size += got)
        status = body_input_read(input, bytes, PIECE, &got);
    body_input_close(&input);
    free(bytes);
    if (status == STATUS_OK && size / 28 < part->total)
        status = status_fail(STATUS_USAGE, "%s ends within its particles; copy or save it again",
                             part->path);
    return status;
}

static enum status read_bodies(const struct parts *parts, struct snapshot *out)
{
    size_t count[TYPES] = {0}, total = 0;
    struct bodies whole = {0};
    struct target target = {.rows = {.snapshot = out}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < parts->count && status == STATUS_OK; i++) {
        for (int t = 0; t < TYPES; t++)
            count[t] += parts->list[i].header.count[t];
        total += parts->list[i].total;
        status = check_packed(&parts->list[i]);
    }
    if (status == STATUS_OK)
        status = body_rows_check(parts->paths[0], total);
    species_make_components(&whole, count);
    if (status == STATUS_OK)
        status = snapshot_create(out, whole.components, TYPES);
    if (status == STATUS_OK)
        status = bodies_add_ids(out->bodies, out->bodies->count);
    for (int t = 0; t < TYPES && status == STATUS_OK; t++) {
        target.at[t] = out->bodies->components[t].first;
        target.before[t] = snapshot_begin(out, count[t]);
        target.row[t] = whole.components[t].first + target.before[t];
        target.left[t] = out->bodies->components[t].count;
    }
    free(whole.components);
    target.rows.room = out->bodies ? out->bodies->count : 0;
    out->single = true;
    for (size_t i = 0; i < parts->count && status == STATUS_OK; i++) {
        struct part part;
        status = open_part(&part, parts->paths[i]);
        if (status == STATUS_OK && memcmp(&part.header, &parts->list[i].header, sizeof part.header))
            status = status_fail(STATUS_IO,
                                 "%s changed while it was being read; wait until it is "
                                 "complete, and try again",
                                 part.path);
        if (status == STATUS_OK)
            status = read_part(&part, &target, &out->single);
        if (status == STATUS_OK && i == 0)
            note_unread(&part, out);
        body_input_close(&part.input);
    }
    return status;
}

static void take_header(const struct part *part, struct snapshot *out)
{
    out->time = part->header.time;
    out->time_known = true;
    out->units = units_gadget;
    out->units_assumed = true;
}

static enum status read(const char *path, struct snapshot *out)
{
    struct parts parts = {.count = 0};
    enum status status = open_parts(&parts, path);
    if (status == STATUS_OK) {
        take_header(&parts.list[0], out);
        if (parts.list[0].header.redshift > 0)
            log_warning("%s has the redshift %g: its lengths and velocities are comoving, but are "
                        "read as if they were physical",
                        path, parts.list[0].header.redshift);
        status = read_bodies(&parts, out);
    }
    close_parts(&parts);
    return status;
}

static enum status read_units(const char *path, struct snapshot *out)
{
    struct part part;
    enum status status = open_part(&part, path);
    if (status == STATUS_OK)
        take_header(&part, out);
    body_input_close(&part.input);
    return status;
}

/* ---- writing ---- */

struct gadget_output {
    struct body_output *output;
    const struct bodies *bodies;
    bool labels, doubles, long_ids;
    size_t count[TYPES];
    double mass[TYPES]; /* of a body, if all of the type have the same; else 0 */
};

static void put_u32(struct gadget_output *out, uint32_t value)
{
    unsigned char bytes[4];
    bytes_put_u32(bytes, value, false);
    body_output_put(out->output, bytes, sizeof bytes);
}

/* Writes what precedes a block; the same length ends it. */
static void put_label(struct gadget_output *out, const char *label, uint32_t length)
{
    if (out->labels) {
        put_u32(out, LABEL);
        body_output_put(out->output, label, 4);
        put_u32(out, length + 8);
        put_u32(out, LABEL);
    }
    put_u32(out, length);
}

static void find_masses(struct gadget_output *out)
{
    const struct bodies *bodies = out->bodies;
    for (int t = 0; t < TYPES; t++) {
        size_t c, first = species_first(bodies, (enum species)t, &c);
        out->mass[t] = first < bodies->count ? bodies->mass[first] : 0;
        for (size_t i = first; i < bodies->count && out->mass[t] > 0;
             i = species_next(bodies, (enum species)t, &c, i))
            if (bodies->mass[i] != out->mass[t])
                out->mass[t] = 0;
    }
}

static void put_header(struct gadget_output *out, const struct snapshot *snapshot)
{
    unsigned char bytes[HEADER] = {0};
    for (int t = 0; t < TYPES; t++) {
        bytes_put_u32(bytes + 4 * t, (uint32_t)out->count[t], false);
        bytes_put_u32(bytes + 96 + 4 * t, (uint32_t)out->count[t], false);
        bytes_put_f64(bytes + 24 + 8 * t, out->mass[t], false);
    }
    bytes_put_f64(bytes + 72, snapshot->time_known ? snapshot->time : 0, false);
    bytes_put_u32(bytes + 124, 1, false);
    bytes_put_f64(bytes + 152, 1, false); /* the Hubble parameter */
    put_label(out, "HEAD", HEADER);
    body_output_put(out->output, bytes, sizeof bytes);
    put_u32(out, HEADER);
}

static void put_block(struct gadget_output *out, const struct block *block)
{
    const bool wide = block->column == COLUMN_ID ? out->long_ids : out->doubles;
    const struct record_field field = field_of(block, wide ? 8 : 4, false);
    const size_t size = (size_t)field.across * field.type.bytes;
    const bool masses = block->column == COLUMN_MASS;
    uint64_t count = 0;
    for (int t = 0; t < TYPES; t++)
        count += masses && out->mass[t] > 0 ? 0 : out->count[t];
    if (count == 0)
        return;
    put_label(out, block->label, (uint32_t)(count * size));
    for (int t = 0; t < TYPES; t++) {
        size_t c;
        if (masses && out->mass[t] > 0)
            continue;
        for (size_t i = species_first(out->bodies, (enum species)t, &c); i < out->bodies->count;
             i = species_next(out->bodies, (enum species)t, &c, i)) {
            unsigned char record[3 * sizeof(double)];
            record_make(&field, 1, out->bodies, i, c, record);
            body_output_put(out->output, record, size);
        }
    }
    put_u32(out, (uint32_t)(count * size));
}

/* Whether float32 is exact for all numbers except the masses in the header. */
static bool fits_singles(const struct gadget_output *out, const struct snapshot *snapshot)
{
    const struct bodies *bodies = out->bodies;
    if (!snapshot_narrow(snapshot, bodies->position[0], 3 * bodies->count) ||
        !snapshot_narrow(snapshot, bodies->velocity[0], 3 * bodies->count))
        return false;
    for (int t = 0; t < TYPES; t++) {
        size_t c;
        for (size_t i = species_first(bodies, (enum species)t, &c);
             i < bodies->count && out->mass[t] == 0;
             i = species_next(bodies, (enum species)t, &c, i))
            if (!snapshot_fits(&bodies->mass[i], 1))
                return false;
    }
    return true;
}

static enum status write_file(const char *path, const struct snapshot *snapshot, bool labels)
{
    const struct bodies *bodies = snapshot->bodies;
    struct gadget_output out = {.bodies = bodies, .labels = labels};
    find_masses(&out);
    out.doubles = !fits_singles(&out, snapshot);
    if ((uint64_t)bodies->count * 3 * (out.doubles ? 8 : 4) > UINT32_MAX)
        return status_fail(STATUS_USAGE,
                           "%zu bodies are too many for one GADGET file, whose blocks have at most "
                           "4 GiB; write another format",
                           bodies->count);
    for (size_t i = 0; bodies->id && i < bodies->count; i++)
        out.long_ids |= bodies->id[i] > UINT32_MAX;
    species_count(bodies, out.count);
    enum status status = body_output_open(&out.output, path);
    if (status != STATUS_OK)
        return status;
    put_header(&out, snapshot);
    for (size_t b = 0; b < BLOCKS; b++)
        put_block(&out, &blocks[b]);
    return body_output_close(&out.output, STATUS_OK);
}

static enum status write_1(const char *path, const struct snapshot *snapshot)
{
    return write_file(path, snapshot, false);
}

static enum status write_2(const char *path, const struct snapshot *snapshot)
{
    return write_file(path, snapshot, true);
}

static bool probe_1(const struct format_head *head)
{
    return probe_as(head, false);
}

static bool probe_2(const struct format_head *head)
{
    return probe_as(head, true);
}

const struct format format_gadget1 = {
    .name = "gadget1",
    .doc = "GADGET's binary snapshots of format 1, in one file or several; six types",
    .extensions = "gadget gadget1 g1",
    .keeps = KEEPS_COMPONENTS | KEEPS_IDS | KEEPS_TIME | KEEPS_DOUBLES,
    .names = species_names,
    .probe = probe_1,
    .read = read,
    .read_units = read_units,
    .write = write_1,
};

const struct format format_gadget2 = {
    .name = "gadget2",
    .doc = "the same of format 2, in which each block has a name",
    .extensions = "gadget2 g2",
    .keeps = KEEPS_COMPONENTS | KEEPS_IDS | KEEPS_TIME | KEEPS_DOUBLES,
    .names = species_names,
    .probe = probe_2,
    .read = read,
    .read_units = read_units,
    .write = write_2,
};
