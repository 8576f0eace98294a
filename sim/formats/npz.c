/* NumPy archives (numpy.savez): a zip file with an array for each field of the bodies. Other common
 * names are accepted; other arrays with one number per body are additional columns. */
#include "sim/formats/formats.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/formats/further.h"
#include "sim/formats/npy.h"
#include "sim/formats/zip.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t stem(const char *member)
{
    const size_t length = strlen(member);
    return length > 4 && strcmp(member + length - 4, ".npy") == 0 ? length - 4 : 0;
}

/* ---- reading ---- */

struct npz {
    const char *path;
    struct zip *zip;
    struct snapshot *out;
    uint64_t count; /* 0: no array read yet */
    struct body_rows rows;
    bool has[COLUMNS], timed;
    char *name; /* file and member, for messages */
    struct body_columns further;
    uint64_t further_rows[BODY_COLUMNS_MAX];
    bool rounded[BODY_COLUMNS_MAX];
};

static enum status take(void *from, void *to, size_t size)
{
    return zip_take(from, to, size);
}

/* Begins with the first array: allocates its number of rows only if the file is known to contain
 * them. */
static enum status begin(struct npz *npz, uint64_t count, const struct npy_header *header)
{
    const enum status status = body_rows_check(npz->path, count);
    if (status != STATUS_OK)
        return status;
    npz->count = count;
    const bool held = zip_holds(npz->zip, count * header->shape[1] * header->type.bytes);
    return body_rows_begin(&npz->rows, npz->out, held ? (size_t)count : 0);
}

static enum status read_time(struct npz *npz, const struct npy_header *header)
{
    unsigned char bytes[8];
    if (header->shape[0] != 1 || header->shape[1] != 1)
        return status_fail(STATUS_USAGE, "%s is not one number", npz->name);
    const enum status status = zip_take(npz->zip, bytes, header->type.bytes);
    npz->out->time = status == STATUS_OK ? number_at(&header->type, bytes) : 0;
    npz->out->time_known = isfinite(npz->out->time);
    npz->timed = true;
    return status;
}

static enum status check(const struct npz *npz, int column, unsigned across,
                         const struct npy_header *header)
{
    const char *again = column == COLUMN_TIME && npz->timed ? "time" : NULL;
    for (unsigned k = 0; k < across && column != COLUMN_TIME; k++)
        if (npz->has[column + (int)k])
            again = column_names[column + (int)k];
    if (header->type.kind == 0)
        return status_fail(STATUS_USAGE,
                           "%s is an array of %s, expected floating-point or whole numbers",
                           npz->name, header->text[0] ? header->text : "no type");
    if (header->shape[1] != across || (column != COLUMN_TIME && header->dimensions == 0))
        return status_fail(STATUS_USAGE, "%s does not have the shape (N,%s)", npz->name,
                           across == 3 ? " 3" : "");
    if (again)
        return status_fail(STATUS_USAGE, "%s: two arrays are the %s; leave one of them out",
                           npz->name, again);
    if (column != COLUMN_TIME && npz->count > 0 && header->shape[0] != npz->count)
        return status_fail(STATUS_USAGE, "%s has %" PRIu64 " rows, and another array has %" PRIu64,
                           npz->name, header->shape[0], npz->count);
    return STATUS_OK;
}

/* One block, or in column order one for each column. */
static enum status read_numbers(struct npz *npz, int column, unsigned across,
                                const struct npy_header *header)
{
    const unsigned blocks = header->by_columns ? across : 1;
    enum status status = STATUS_OK;
    for (unsigned k = 0; k < blocks && status == STATUS_OK; k++) {
        struct record_field field = {column + (int)k, across / blocks, header->type, 0, false};
        const struct record_block block = {.path = npz->name,
                                           .zip = npz->zip,
                                           .fields = &field,
                                           .field_count = 1,
                                           .count = npz->count,
                                           .size = (size_t)field.across * header->type.bytes};
        for (unsigned i = 0; i < field.across; i++)
            npz->has[field.column + (int)i] = true;
        status = records_read(&block, &npz->rows, 0);
    }
    return status;
}

static enum status read_array(struct npz *npz, int column, unsigned across)
{
    struct npy_header header;
    struct snapshot *out = npz->out;
    enum status status = npy_header_read(take, npz->zip, npz->name, &header);
    if (status == STATUS_OK)
        status = check(npz, column, across, &header);
    if (status != STATUS_OK)
        return status;
    if (column == COLUMN_TIME)
        return read_time(npz, &header);
    if (npz->count == 0)
        status = begin(npz, header.shape[0], &header);
    if (status == STATUS_OK && column == COLUMN_ID)
        status = bodies_add_ids(out->bodies, npz->rows.room);
    if (status == STATUS_OK && column == COLUMN_GALAXY)
        status = body_rows_add_galaxies(&npz->rows);
    if (column >= COLUMN_X && column < COLUMN_GALAXY)
        out->single = out->single && header.type.kind == 'f' && header.type.bytes <= sizeof(float);
    return status == STATUS_OK ? read_numbers(npz, column, across, &header) : status;
}

/* Fills the last additional column, whose memory grows with the input. */
static enum status read_values(struct npz *npz, const struct npy_header *header)
{
    struct body_column *column = &npz->further.list[npz->further.count - 1];
    bool *rounded = &npz->rounded[npz->further.count - 1];
    const size_t rows = (size_t)header->shape[0], bytes = header->type.bytes;
    size_t room = 0;
    unsigned char *numbers = memory_new(RECORDS_CHUNK, bytes);
    enum status status = STATUS_OK;
    for (size_t first = 0; first < rows && status == STATUS_OK; first += RECORDS_CHUNK) {
        const size_t count = rows - first < RECORDS_CHUNK ? rows - first : RECORDS_CHUNK;
        status = zip_take(npz->zip, numbers, count * bytes);
        if (status == STATUS_OK && first + count > room) {
            room = 2 * room > rows || zip_holds(npz->zip, (rows - first - count) * bytes)
                       ? rows
                       : first + count + room;
            if (!body_column_resize(&column->value, room, sizeof *column->value))
                status = status_fail(STATUS_RUNTIME, "no memory left for the %zu numbers of %s",
                                     room, npz->name);
        }
        if (status == STATUS_OK)
            numbers_take(&header->type, numbers, bytes, count, column->value + first, 1);
        for (size_t i = 0; i < count && status == STATUS_OK && !*rounded; i++)
            *rounded = number_rounds(&header->type, numbers + i * bytes);
    }
    free(numbers);
    return status;
}

/* Any other array becomes an additional column if it has one number per body. The number of bodies
 * may become known only with a later array. */
static enum status read_further(struct npz *npz, const char *member, bool *read)
{
    struct npy_header header;
    struct body_columns *further = &npz->further;
    char name[ZIP_NAME];
    (void)snprintf(name, sizeof name, "%.*s", (int)stem(member), member);
    *read = *name && further_wanted(npz->out, further, name);
    if (!*read)
        return STATUS_OK;
    enum status status = npy_header_read(take, npz->zip, npz->name, &header);
    const bool fits = status == STATUS_OK && header.type.kind != 0 && header.shape[1] == 1 &&
                      header.dimensions > 0 && header.shape[0] > 0 &&
                      header.shape[0] <= BODY_ROWS_MAX && header.fields == 0 &&
                      (npz->count == 0 || npz->count == header.shape[0]) &&
                      further->count < body_rows_columns((size_t)header.shape[0]);
    *read = fits;
    if (!fits) {
        snapshot_leave(npz->out, name);
        return STATUS_OK;
    }
    npz->further_rows[further->count] = header.shape[0];
    further_note(further, name, "", header.type.kind == 'f' && header.type.bytes <= sizeof(float));
    return read_values(npz, &header);
}

/* Arrays with one number per body become columns of the bodies. */
static void take_further(struct npz *npz)
{
    struct body_columns *further = &npz->further;
    size_t kept = 0;
    for (size_t c = 0; c < further->count; c++)
        if (npz->further_rows[c] == npz->count) {
            if (npz->rounded[c])
                snapshot_round(npz->out, further->list[c].name);
            further->list[kept++] = further->list[c];
        } else {
            log_info_once("%s: %s does not have one number for each body and is not read",
                          npz->path, further->list[c].name);
            snapshot_leave(npz->out, further->list[c].name);
            free(further->list[c].value);
        }
    further->count = kept;
    npz->out->bodies->columns = *further;
    *further = (struct body_columns){0};
}

static enum status read_members(struct npz *npz)
{
    char member[ZIP_NAME], others[256] = "";
    int count = 0;
    for (;;) {
        enum status status = zip_next(npz->zip, member);
        if (status != STATUS_OK)
            return status;
        if (!*member)
            break;
        unsigned across;
        const int column = column_find_array(member, stem(member), &across);
        free(npz->name);
        npz->name = text_format("%s: %s", npz->path, member);
        bool read = true;
        const bool again = column == COLUMN_ID && npz->has[COLUMN_ID]; /* the first one counts */
        status = column != COLUMN_OTHER && !again ? read_array(npz, column, across)
                                                  : read_further(npz, member, &read);
        if (!read) {
            text_list(others, sizeof others, member);
            if (stem(member) == 0)
                snapshot_leave(npz->out, member);
            count++;
        }
        if (status != STATUS_OK)
            return status;
    }
    if (count > 0)
        log_info("%s: %s %s not read", npz->path, others, count == 1 ? "is" : "are");
    return columns_check_arrays(npz->path, npz->has, "as numpy.savez(file, mass=m, pos=x, vel=v)");
}

static enum status read_file(struct npz *npz)
{
    struct snapshot *out = npz->out;
    out->single = true;
    enum status status = read_members(npz);
    if (status != STATUS_OK)
        return status;
    out->bodies->count = (size_t)npz->count;
    take_further(npz);
    status = bodies_check(out->bodies, 0, out->bodies->count, 0, npz->path);
    body_rows_end(&npz->rows);
    return status;
}

static enum status read(const char *path, struct snapshot *out)
{
    struct body_input *input;
    struct npz npz = {.path = path, .out = out};
    enum status status = body_input_open(&input, path);
    if (status != STATUS_OK)
        return status;
    npz.zip = zip_open(input, path);
    status = read_file(&npz);
    free(npz.name);
    body_columns_free(&npz.further);
    zip_close(&npz.zip);
    body_input_close(&input);
    return status;
}

/* ---- writing ---- */

static void begin_member(struct zip_writer *zip, struct body_output *output, const char *name,
                         const unsigned char header[NPY_HEADER], uint64_t size, uint32_t sum)
{
    char member[BODY_COLUMN_NAME + 8];
    snprintf(member, sizeof member, "%s.npy", name);
    zip_member(zip, member, NPY_HEADER + size, sum);
    body_output_put(output, header, NPY_HEADER);
}

/* Makes the records of all bodies, in blocks: writes them, or (output NULL) continues a checksum.
 */
static uint32_t each_record(const struct record_field *field, const struct bodies *bodies,
                            struct body_output *output, uint32_t sum)
{
    const size_t size = (size_t)field->across * field->type.bytes;
    unsigned char *records = memory_new(RECORDS_CHUNK, size);
    for (size_t c = 0, i = 0, used = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++) {
            record_make(field, 1, bodies, i, c, records + used * size);
            if (++used < RECORDS_CHUNK && i + 1 < bodies->count)
                continue;
            if (output)
                body_output_put(output, records, used * size);
            else
                sum = zip_sum(sum, records, used * size);
            used = 0;
        }
    free(records);
    return sum;
}

/* The numbers are made twice, because the checksum precedes them. */
static void put_member(struct zip_writer *zip, struct body_output *output, const char *name,
                       const struct record_field *field, const struct bodies *bodies)
{
    const uint64_t shape[2] = {bodies->count, field->across};
    unsigned char header[NPY_HEADER];
    npy_header_make(header, field->type.kind, field->type.bytes, field->across > 1 ? 2 : 1, shape);
    const uint32_t sum = each_record(field, bodies, NULL, zip_sum(0, header, sizeof header));
    begin_member(zip, output, name, header, bodies->count * field->across * field->type.bytes, sum);
    (void)each_record(field, bodies, output, 0);
}

static void put_time(struct zip_writer *zip, struct body_output *output, double time)
{
    const uint64_t shape[2] = {1, 1};
    unsigned char header[NPY_HEADER];
    npy_header_make(header, 'f', sizeof time, 0, shape);
    const uint32_t sum = zip_sum(zip_sum(0, header, sizeof header), &time, sizeof time);
    begin_member(zip, output, "time", header, sizeof time, sum);
    body_output_put(output, &time, sizeof time);
}

static struct number_type real(bool narrow)
{
    return (struct number_type){'f', narrow ? 4 : 8, false};
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const size_t count = bodies->count;
    struct body_output *output;
    const enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    struct zip_writer *zip = zip_begin(output);
    const struct number_type mass = real(snapshot_narrow(snapshot, bodies->mass, count)),
                             pos = real(snapshot_narrow(snapshot, bodies->position[0], 3 * count)),
                             vel = real(snapshot_narrow(snapshot, bodies->velocity[0], 3 * count));
    const struct {
        const char *name;
        bool written;
        struct record_field field;
    } arrays[] = {
        {"mass", true, {COLUMN_MASS, 1, mass, 0, false}},
        {"pos", true, {COLUMN_X, 3, pos, 0, false}},
        {"vel", true, {COLUMN_VX, 3, vel, 0, false}},
        {"id", bodies->id, {COLUMN_ID, 1, {'u', 8, false}, 0, false}},
        {"galaxy", bodies->component_count > 1, {COLUMN_GALAXY, 1, {'i', 4, false}, 0, false}},
    };
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        if (arrays[a].written)
            put_member(zip, output, arrays[a].name, &arrays[a].field, bodies);
    for (size_t c = 0; c < bodies->columns.count; c++) {
        const struct body_column *further = &bodies->columns.list[c];
        const struct record_field field = {COLUMN_FURTHER + (int)c, 1,
                                           real(further_narrow(further, count)), 0, false};
        put_member(zip, output, further->name, &field, bodies);
    }
    if (snapshot->time_known)
        put_time(zip, output, snapshot->time);
    zip_end(&zip);
    return body_output_close(&output, status);
}

/* Recognizes a zip file whose first member is an array. */
static bool probe(const struct format_head *head)
{
    enum { NAME = 30, LENGTH = 26 };
    const unsigned char *bytes = head->bytes;
    if (head->size < NAME || memcmp(bytes, "PK\3\4", 4) != 0)
        return false;
    const size_t length = bytes[LENGTH] + 256u * bytes[LENGTH + 1];
    return length > 4 && NAME + length <= head->size &&
           memcmp(bytes + NAME + length - 4, ".npy", 4) == 0;
}

const struct format format_npz = {
    .name = "npz",
    .doc = "NumPy's archive: arrays mass, pos, vel and, where there are some, id, galaxy and time",
    .extensions = "npz",
    .probe = probe,
    .read = read,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_IDS | KEEPS_TIME | KEEPS_DOUBLES | KEEPS_COLUMNS,
};
