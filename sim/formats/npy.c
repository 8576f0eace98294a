/* NumPy arrays: a .npy file of N x 7 or N x 8 numbers, in row or column order, or of N records
 * whose fields are named like the columns; other fields are additional columns. */
#include "sim/formats/format.h"

#include "base/log.h"
#include "base/memory.h"
#include "sim/formats/columns.h"
#include "sim/formats/further.h"
#include "sim/formats/input.h"
#include "sim/formats/npy_header.h"
#include "sim/formats/output.h"
#include "sim/formats/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Position of a column's numbers: row i is at offset + i * stride. */
struct npy_column {
    struct npy_type type; /* kind 0: there is no such column */
    size_t offset;
};

struct npy {
    const char *path;
    struct body_input *input;
    struct npy_header header;
    struct npy_column column[COLUMNS], further[NPY_FIELDS];
    bool rounded[NPY_FIELDS];  /* a number of `further` has lost digits */
    struct body_columns noted; /* names of `further` */
    size_t stride, row; /* stride: bytes from one row's number to the next; row: bytes per row */
};

static enum status fail_shape(const struct npy *npy)
{
    return status_fail(STATUS_USAGE,
                       "%s is neither an array of shape (N, 7) or (N, 8), with mass x y z vx vy vz "
                       "and the galaxy's index, nor an array of records with fields of those names",
                       npy->path);
}

static enum status place_numbers(struct npy *npy)
{
    const struct npy_header *header = &npy->header;
    const uint64_t rows = header->shape[0], columns = header->shape[1];
    if (header->type.kind == 0)
        return status_fail(STATUS_USAGE,
                           "%s is an array of %s, expected floating-point or whole numbers; save "
                           "it with .astype('<f8')",
                           npy->path, header->text[0] ? header->text : "no type");
    if (header->dimensions != 2 || rows == 0 ||
        (columns != COLUMNS_PLAIN && columns != COLUMNS_NEEDED))
        return fail_shape(npy);
    const size_t bytes = header->type.bytes;
    npy->row = columns * bytes;
    npy->stride = header->by_columns ? bytes : npy->row;
    for (size_t c = 0; c < columns; c++)
        npy->column[c] =
            (struct npy_column){header->type, header->by_columns ? c * rows * bytes : c * bytes};
    log_info_once("%s: an array without names, read as mass x y z vx vy vz%s", npy->path,
                  columns == COLUMNS_PLAIN ? " galaxy" : "");
    return STATUS_OK;
}

static enum status place_field(struct npy *npy, const struct npy_field *field, struct snapshot *out)
{
    const size_t length = strlen(field->name);
    const int vector = column_find_vector(field->name, length),
              single = column_find(field->name, length);
    const int first = field->across == 3 ? vector : field->across == 1 ? single : -1;
    const bool number = field->across == 1 && field->type.kind != 0;
    if (first < 0 && number && further_wanted(out, &npy->noted, field->name)) {
        npy->further[npy->noted.count] = (struct npy_column){field->type, field->offset};
        further_note(&npy->noted, field->name, "",
                     field->type.bytes <= sizeof(float) && field->type.kind == 'f');
        return STATUS_OK;
    }
    if (first < 0 || field->type.kind == 0) {
        snapshot_leave(out, field->name);
        return STATUS_OK;
    }
    for (unsigned k = 0; k < field->across; k++) {
        struct npy_column *column = &npy->column[first + (int)k];
        if (column->type.kind && first == COLUMN_ID) {
            snapshot_leave(out, field->name);
            return STATUS_OK;
        }
        if (column->type.kind)
            return status_fail(STATUS_USAGE, "%s: two fields are the %s; leave one of them out",
                               npy->path, column_names[first + (int)k]);
        *column = (struct npy_column){field->type, field->offset + k * field->type.bytes};
    }
    return STATUS_OK;
}

static enum status place_fields(struct npy *npy, struct snapshot *out)
{
    const struct npy_header *header = &npy->header;
    enum status status = STATUS_OK;
    if (header->shape[1] != 1 || header->dimensions == 0 || header->shape[0] == 0)
        return fail_shape(npy);
    npy->row = npy->stride = header->type.bytes;
    npy->header.by_columns = false; /* a single column */
    for (unsigned f = 0; f < header->fields && status == STATUS_OK; f++)
        status = place_field(npy, &header->field[f], out);
    for (int c = 0; c < COLUMNS_NEEDED && status == STATUS_OK; c++)
        if (!npy->column[c].type.kind)
            status = status_fail(STATUS_USAGE,
                                 "%s: its records have no field for %s; name the fields mass, x, "
                                 "y, z, vx, vy and vz, or mass, pos and vel",
                                 npy->path, column_names[c]);
    return status;
}

static enum status take(void *from, void *to, size_t size)
{
    return body_input_take(from, to, size, "its header");
}

/* Adds rows from `first` on, whose numbers begin at `bytes`. */
static enum status add_rows(struct npy *npy, struct body_rows *rows, uint64_t first,
                            const unsigned char *bytes, size_t count)
{
    const struct npy_column *id = &npy->column[COLUMN_ID];
    const size_t further_count = rows->snapshot->bodies->columns.count;
    double further[NPY_FIELDS];
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const unsigned char *at = bytes + i * npy->stride;
        struct body_row row = {.mass = 0};
        double value[COLUMNS_PLAIN] = {0};
        for (int c = 0; c < COLUMNS_PLAIN; c++)
            if (npy->column[c].type.kind)
                value[c] = npy_number(&npy->column[c].type, at + npy->column[c].offset, 0);
        status = column_row(value, rows->has_galaxies, &row);
        if (status != STATUS_OK)
            return status_prefix(status, "%s, row %" PRIu64, npy->path, first + i);
        for (size_t c = 0; c < further_count; c++) {
            const struct npy_column *from = &npy->further[c];
            further[c] = npy_number(&from->type, at + from->offset, 0);
            npy->rounded[c] |= npy_rounds(&from->type, at + from->offset, 0);
        }
        row.further = further;
        if (rows->has_ids && !npy_id(&id->type, at + id->offset, 0, &row.id))
            body_rows_refuse_id(rows, npy->path, first + i + 1,
                                npy_number(&id->type, at + id->offset, 0));
        status = body_rows_add(rows, &row);
    }
    return status;
}

static enum status read_rows(struct npy *npy, struct body_rows *rows)
{
    enum { BLOCK = 256 };
    const uint64_t all = npy->header.shape[0];
    unsigned char *bytes = memory_new(BLOCK, npy->row);
    enum status status = STATUS_OK;
    for (uint64_t first = 0; first < all && status == STATUS_OK; first += BLOCK) {
        const size_t count = all - first < BLOCK ? (size_t)(all - first) : BLOCK;
        status = body_input_take(npy->input, bytes, count * npy->row, "its numbers");
        if (status == STATUS_OK)
            status = add_rows(npy, rows, first, bytes, count);
    }
    free(bytes);
    return status;
}

/* Column order: reads everything into memory that grows with the input. */
static enum status read_columns(struct npy *npy, struct body_rows *rows)
{
    enum { PIECE = 1 << 20 };
    const size_t all = (size_t)npy->header.shape[0] * npy->row;
    unsigned char *bytes = NULL;
    size_t room = 0, got = 0;
    enum status status = STATUS_OK;
    while (got < all && status == STATUS_OK) {
        const size_t some = all - got < PIECE ? all - got : PIECE;
        if (got + some > room) {
            room = 2 * room + some < all ? 2 * room + some : all;
            unsigned char *larger = realloc(bytes, room);
            if (!larger)
                status = status_fail(STATUS_RUNTIME, "no memory left for reading %s", npy->path);
            else
                bytes = larger;
        }
        if (status == STATUS_OK)
            status = body_input_take(npy->input, bytes + got, some, "its numbers");
        got += some;
    }
    if (status == STATUS_OK)
        status = add_rows(npy, rows, 0, bytes, (size_t)npy->header.shape[0]);
    free(bytes);
    return status;
}

/* Allocates memory for all rows of the shape only if the file is known to be that long. */
static enum status read_array(struct npy *npy, struct snapshot *out)
{
    const uint64_t count = npy->header.shape[0];
    struct body_rows rows = {.has_galaxies = npy->column[COLUMNS_NEEDED].type.kind != 0,
                             .has_ids = npy->column[COLUMN_ID].type.kind != 0,
                             .further = npy->noted};
    npy->noted = (struct body_columns){0};
    const bool known = body_input_left(npy->input) != UINT64_MAX;
    enum status status = body_rows_check(npy->path, count);
    if (status == STATUS_OK)
        status = body_input_promise(npy->input, count, npy->row, "its numbers");
    if (status == STATUS_OK)
        status = body_rows_begin(&rows, out, known ? (size_t)count : 0);
    if (status == STATUS_OK)
        status = npy->header.by_columns ? read_columns(npy, &rows) : read_rows(npy, &rows);
    if (status == STATUS_OK)
        status = body_input_end(npy->input);
    body_columns_free(&rows.further);
    for (size_t c = 0; status == STATUS_OK && c < out->bodies->columns.count; c++)
        if (npy->rounded[c])
            snapshot_round(out, out->bodies->columns.list[c].name);
    if (status == STATUS_OK)
        body_rows_end(&rows);
    return status;
}

/* Whether positions and velocities are floats; a mass may be an integer. */
static bool are_floats(const struct npy *npy)
{
    for (int c = 1; c < COLUMNS_NEEDED; c++)
        if (npy->column[c].type.kind != 'f' || npy->column[c].type.bytes > sizeof(float))
            return false;
    return true;
}

static enum status read(const char *path, struct snapshot *out)
{
    struct npy npy = {.path = path};
    enum status status = body_input_open(&npy.input, path);
    if (status == STATUS_OK)
        status = npy_header_read(take, npy.input, path, &npy.header);
    if (status == STATUS_OK)
        status = npy.header.fields > 0 ? place_fields(&npy, out) : place_numbers(&npy);
    if (status == STATUS_OK)
        status = read_array(&npy, out);
    body_columns_free(&npy.noted);
    out->single = are_floats(&npy);
    body_input_close(&npy.input);
    return status;
}

static bool is_narrow(const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    return snapshot_narrow(snapshot, bodies->mass, bodies->count) &&
           snapshot_narrow(snapshot, bodies->position[0], 3 * bodies->count) &&
           snapshot_narrow(snapshot, bodies->velocity[0], 3 * bodies->count);
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const bool galaxies = bodies->component_count > 1, single = is_narrow(snapshot);
    const uint64_t shape[2] = {bodies->count, galaxies ? COLUMNS_PLAIN : COLUMNS_NEEDED};
    unsigned char header[NPY_HEADER];
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    npy_header_make(header, 'f', single ? 4 : 8, 2, shape);
    body_output_put(output, header, sizeof header);
    for (size_t c = 0, i = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++) {
            const double *x = bodies->position[i], *v = bodies->velocity[i];
            const double row[COLUMNS_PLAIN] = {bodies->mass[i], x[0], x[1], x[2], v[0], v[1], v[2],
                                               (double)c};
            for (size_t k = 0; k < shape[1]; k++) {
                const float narrow = (float)row[k];
                if (single)
                    body_output_put(output, &narrow, sizeof narrow);
                else
                    body_output_put(output, &row[k], sizeof row[k]);
            }
        }
    return body_output_close(&output, STATUS_OK);
}

static bool probe(const struct format_head *head)
{
    return head->size >= NPY_MAGIC && memcmp(head->bytes, npy_magic, NPY_MAGIC) == 0;
}

const struct format format_npy = {
    .name = "npy",
    .doc = "a NumPy array of N x 7 or N x 8 numbers, or of records with the names of the columns",
    .extensions = "npy",
    .probe = probe,
    .read = read,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_DOUBLES,
};
