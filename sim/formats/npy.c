#include "sim/formats/npy.h"

#include "base/log.h"
#include "base/memory.h"
#include "sim/formats/columns.h"
#include "sim/formats/format.h"
#include "sim/formats/further.h"
#include "sim/formats/input.h"
#include "sim/formats/output.h"
#include "sim/formats/rows.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- npy header ---- */

enum { TEXT_MAX = 4096, RECORD_MAX = 1 << 16 };
const unsigned char npy_magic[NPY_MAGIC] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

static const char *blanks(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

/* The value of 'name': in the dictionary. */
static const char *value_of(const char *text, const char *name)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", name);
    for (const char *at = text; (at = strstr(at, quoted));) {
        at = blanks(at + strlen(quoted));
        if (*at == ':') /* not a field with that name */
            return blanks(at + 1);
    }
    return NULL;
}

static const char *read_whole(const char *at, uint64_t *out)
{
    if (!isdigit((unsigned char)*at) || strspn(at, "0123456789") > 18)
        return NULL;
    char *end;
    *out = strtoull(at, &end, 10);
    return blanks(end);
}

/* (), (N,) or (N, columns) */
static bool read_shape(struct npy_header *out, const char *at)
{
    out->shape[0] = out->shape[1] = 1;
    if (!at || *at != '(')
        return false;
    for (at = blanks(at + 1); *at && *at != ')'; at = blanks(at)) {
        if (out->dimensions == 2 || !(at = read_whole(at, &out->shape[out->dimensions])))
            return false;
        out->dimensions++;
        if (*at == ',')
            at++;
        else if (*at != ')')
            return false;
    }
    return *at == ')';
}

/* '<f8' and the like, `length` bytes; types without numbers get kind 0, and size 0 if unknown. */
static struct npy_type read_type(const char *text, size_t length)
{
    const char order = length > 1 ? text[0] : 0, kind = length > 1 ? text[1] : 0;
    char *end = NULL;
    const unsigned long size = length > 2 ? strtoul(text + 2, &end, 10) : 0;
    const bool plain = end == text + length;
    const bool dated = kind == 'M' || kind == 'm'; /* "<M8[ns]" */
    struct npy_type type = {.big_endian = order == '>'};
    if (!order || !strchr("<>|=", order) || size > TEXT_MAX || !(plain || dated))
        return type;
    if (strchr("fiubcSVMmU", kind))
        type.bytes = (unsigned)size * (kind == 'U' ? 4 : 1);
    const bool number = strchr("fiu", kind) && strchr(kind == 'f' ? "248" : "1248", text[2]) &&
                        length == 3 && (order == '|') == (size == 1);
    type.kind = number ? kind : 0;
    return type;
}

/* Reads the quoted text at *at and advances *at past it; NULL: no quotes. */
static const char *quoted(const char **at, size_t *length)
{
    const char quote = **at, *text = *at + 1;
    const char *end = quote == '\'' || quote == '"' ? strchr(text, quote) : NULL;
    if (!end)
        return NULL;
    *length = (size_t)(end - text);
    *at = blanks(end + 1);
    return text;
}

static bool skip_mark(const char **at, char mark)
{
    if (**at != mark)
        return false;
    *at = blanks(*at + 1);
    return true;
}

/* ('pos', '<f4', (3,)) */
static bool read_record_field(const char **at, struct npy_field *out)
{
    size_t name_length, type_length;
    uint64_t across = 1, extent;
    const char *name, *type;
    if (!skip_mark(at, '(') || !(name = quoted(at, &name_length)) || !skip_mark(at, ',') ||
        !(type = quoted(at, &type_length)))
        return false;
    if (skip_mark(at, ',') && skip_mark(at, '(')) {
        while (**at && **at != ')') {
            if (!(*at = read_whole(*at, &extent)) || extent == 0 || extent > TEXT_MAX ||
                across > TEXT_MAX)
                return false;
            across *= extent;
            (void)skip_mark(at, ',');
        }
        if (!skip_mark(at, ')'))
            return false;
    }
    *out = (struct npy_field){.type = read_type(type, type_length), .across = (unsigned)across};
    snprintf(out->name, sizeof out->name, "%.*s",
             (int)(name_length < NPY_NAME ? name_length : NPY_NAME - 1), name);
    return out->type.bytes > 0 && skip_mark(at, ')');
}

/* [(...), (...)]; false: a field has an unknown size, or there are too many. */
static bool read_records(struct npy_header *out, const char *at)
{
    size_t offset = 0;
    snprintf(out->text, sizeof out->text, "records");
    at = blanks(at + 1);
    while (*at == '(') {
        struct npy_field *field = &out->field[out->fields];
        if (out->fields == NPY_FIELDS || !read_record_field(&at, field))
            return false;
        field->offset = offset;
        offset += (size_t)field->across * field->type.bytes;
        out->fields++;
        (void)skip_mark(&at, ',');
    }
    out->type.bytes = (unsigned)offset;
    return *at == ']' && out->fields > 0 && offset <= RECORD_MAX;
}

static bool read_description(struct npy_header *out, const char *at)
{
    size_t length = 0;
    if (at && *at == '[')
        return read_records(out, at);
    const char *text = at ? quoted(&at, &length) : NULL;
    snprintf(out->text, sizeof out->text, "%.*s", (int)(length < NPY_TYPE ? length : NPY_TYPE),
             text ? text : "");
    if (text)
        out->type = read_type(text, length);
    return true;
}

static enum status understand(const char *text, const char *name, struct npy_header *out)
{
    const char *order = value_of(text, "fortran_order");
    if (!read_description(out, value_of(text, "descr")))
        return status_fail(STATUS_USAGE,
                           "%s is an array of records that are nested, hold objects or have more "
                           "than %d fields; save the fields that are needed as plain numbers",
                           name, NPY_FIELDS);
    if (!order || !read_shape(out, value_of(text, "shape")))
        return status_fail(STATUS_USAGE,
                           "%s has a header that does not say how its numbers are ordered in at "
                           "most two dimensions; save it with numpy.save",
                           name);
    out->by_columns = strncmp(order, "False", 5) != 0;
    return STATUS_OK;
}

enum status npy_header_read(npy_take take, void *from, const char *name, struct npy_header *out)
{
    unsigned char head[NPY_MAGIC + 2], size[4] = {0};
    char text[TEXT_MAX + 1];
    *out = (struct npy_header){.fields = 0};
    enum status status = take(from, head, sizeof head);
    if (status != STATUS_OK)
        return status;
    if (memcmp(head, npy_magic, NPY_MAGIC) != 0 || head[NPY_MAGIC] < 1 || head[NPY_MAGIC] > 2)
        return status_fail(STATUS_USAGE,
                           "%s is a NumPy file of format %d, and 1 and 2 can be read; save it with "
                           "numpy.save",
                           name, head[NPY_MAGIC]);
    status = take(from, size, head[NPY_MAGIC] == 1 ? 2 : 4);
    if (status != STATUS_OK)
        return status;
    const uint32_t length = (uint32_t)size[0] | (uint32_t)size[1] << 8 | (uint32_t)size[2] << 16 |
                            (uint32_t)size[3] << 24;
    if (length > TEXT_MAX)
        return status_fail(STATUS_USAGE,
                           "the header of %s has %" PRIu32
                           " bytes, and that of an array of numbers has at most %d",
                           name, length, TEXT_MAX);
    status = take(from, text, length);
    text[length] = '\0';
    return status == STATUS_OK ? understand(text, name, out) : status;
}

void npy_header_make(unsigned char out[NPY_HEADER], char kind, unsigned bytes, unsigned dimensions,
                     const uint64_t shape[2])
{
    char text[NPY_HEADER], size[64] = "";
    if (dimensions == 1)
        snprintf(size, sizeof size, "%" PRIu64 ",", shape[0]);
    else if (dimensions == 2)
        snprintf(size, sizeof size, "%" PRIu64 ", %" PRIu64, shape[0], shape[1]);
    const int length =
        snprintf(text, sizeof text, "{'descr': '<%c%u', 'fortran_order': False, 'shape': (%s), }",
                 kind, bytes, size);
    memset(out, ' ', NPY_HEADER);
    memcpy(out, npy_magic, NPY_MAGIC);
    memcpy(out + NPY_MAGIC, "\1\0\x76\0", 4);
    memcpy(out + NPY_MAGIC + 4, text, (size_t)length);
    out[NPY_HEADER - 1] = '\n';
}

/* The bits of a number; negative integers are extended. */
static uint64_t bits_of(const struct npy_type *type, const unsigned char *numbers, size_t i)
{
    const unsigned unused = 64 - 8 * type->bytes;
    uint64_t bits = 0;
    memcpy(&bits, numbers + i * type->bytes, type->bytes);
    if (type->big_endian)
        bits = __builtin_bswap64(bits) >> unused;
    return type->kind == 'i' ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

/* IEEE half precision. */
static double half_number(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = (double)(bits & 1023);
    const double size = exponent == 31 ? (fraction > 0 ? NAN : INFINITY)
                        : exponent > 0 ? ldexp(1024 + fraction, exponent - 25)
                                       : ldexp(fraction, -24);
    return bits >> 15 ? -size : size;
}

double npy_number(const struct npy_type *type, const unsigned char *numbers, size_t i)
{
    const uint64_t bits = bits_of(type, numbers, i);
    if (type->kind == 'i')
        return (double)(int64_t)bits;
    if (type->kind == 'u')
        return (double)bits;
    if (type->bytes == 2)
        return half_number(bits);
    const uint32_t half = (uint32_t)bits;
    float narrow;
    double wide;
    memcpy(&narrow, &half, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return type->bytes == sizeof narrow ? (double)narrow : wide;
}

void npy_numbers(const struct npy_type *type, const unsigned char *numbers, size_t count,
                 double *to, size_t step)
{
    const bool plain = type->kind == 'f' && !type->big_endian && type->bytes > 2;
    for (size_t i = 0; i < count && plain && type->bytes == sizeof(float); i++) {
        float narrow;
        memcpy(&narrow, numbers + i * sizeof narrow, sizeof narrow);
        to[i * step] = (double)narrow;
    }
    for (size_t i = 0; i < count && plain && type->bytes == sizeof(double); i++)
        memcpy(&to[i * step], numbers + i * sizeof *to, sizeof *to);
    for (size_t i = 0; i < count && !plain; i++)
        to[i * step] = npy_number(type, numbers, i);
}

bool npy_id(const struct npy_type *type, const unsigned char *numbers, size_t i, uint64_t *out)
{
    *out = bits_of(type, numbers, i);
    if (type->kind == 'u')
        return true;
    if (type->kind == 'i')
        return (int64_t)*out >= 0;
    const int digits = type->bytes == 2 ? 11 : type->bytes == sizeof(float) ? 24 : 53;
    const double value = npy_number(type, numbers, i);
    *out = value >= 0 && value < ldexp(1, digits) ? (uint64_t)value : 0;
    return (double)*out == value;
}

bool npy_rounds(const struct npy_type *type, const unsigned char *numbers, size_t i)
{
    static const double end = 18446744073709551616.0; /* 2^64 */
    if (type->kind == 'f' || type->bytes < sizeof(uint64_t))
        return false;
    const uint64_t bits = bits_of(type, numbers, i);
    const bool negative = type->kind == 'i' && (int64_t)bits < 0;
    const uint64_t whole = negative ? -bits : bits;
    return (double)whole == end || (uint64_t)(double)whole != whole;
}

/* ---- npy ---- */

/* NumPy arrays: a .npy file of N x 7 or N x 8 numbers, in row or column order, or of N records
 * whose fields are named like the columns; other fields are additional columns. */

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
