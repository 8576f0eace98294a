#include "sim/formats/npy.h"

#include "base/log.h"
#include "sim/formats/formats.h"

#include <ctype.h>
#include <inttypes.h>
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
static struct number_type read_type(const char *text, size_t length)
{
    const char order = length > 1 ? text[0] : 0, kind = length > 1 ? text[1] : 0;
    char *end = NULL;
    const unsigned long size = length > 2 ? strtoul(text + 2, &end, 10) : 0;
    const bool plain = end == text + length;
    const bool dated = kind == 'M' || kind == 'm'; /* "<M8[ns]" */
    struct number_type type = {.big_endian = order == '>'};
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
    const uint32_t length = bytes_u32(size, false);
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

/* ---- npy ---- */

/* NumPy arrays: a .npy file of N x 7 or N x 8 numbers, in row or column order, or of N records
 * whose fields are named like the columns; other fields are additional columns. */

struct npy {
    const char *path;
    struct body_input *input;
    struct npy_header header;
    struct record_layout layout;
    size_t row; /* bytes */
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
    for (npy->layout.count = 0; npy->layout.count < columns; npy->layout.count++) {
        const size_t c = npy->layout.count;
        npy->layout.has[c] = true;
        npy->layout.field[c] = (struct record_field){(int)c, 1, header->type,
                                                     header->by_columns ? 0 : c * bytes, false};
    }
    log_info_once("%s: an array without names, read as mass x y z vx vy vz%s", npy->path,
                  columns == COLUMNS_PLAIN ? " galaxy" : "");
    return STATUS_OK;
}

static enum status place_fields(struct npy *npy, struct snapshot *out)
{
    const struct npy_header *header = &npy->header;
    enum status status = STATUS_OK;
    if (header->shape[1] != 1 || header->dimensions == 0 || header->shape[0] == 0)
        return fail_shape(npy);
    npy->row = header->type.bytes;
    npy->header.by_columns = false; /* a single column */
    for (unsigned f = 0; f < header->fields && status == STATUS_OK; f++) {
        const struct npy_field *from = &header->field[f];
        const struct record_field field = {0, from->across, from->type, from->offset, false};
        status = record_layout_add(&npy->layout, out, npy->path, from->name, &field);
    }
    return status;
}

static enum status take(void *from, void *to, size_t size)
{
    return body_input_take(from, to, size, "its header");
}

static enum status read(const char *path, struct snapshot *out)
{
    struct npy npy = {.path = path};
    enum status status = body_input_open(&npy.input, path);
    if (status == STATUS_OK)
        status = npy_header_read(take, npy.input, path, &npy.header);
    if (status == STATUS_OK)
        status = npy.header.fields > 0 ? place_fields(&npy, out) : place_numbers(&npy);
    const struct record_block block = {.path = path,
                                       .what = "its numbers",
                                       .input = npy.input,
                                       .count = npy.header.shape[0],
                                       .size = npy.row};
    if (status == STATUS_OK)
        status = record_layout_read(&npy.layout, &block, npy.header.by_columns, out);
    if (status == STATUS_OK)
        status = body_input_end(npy.input);
    body_columns_free(&npy.layout.noted);
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
    const struct number_type type = {'f', single ? 4 : 8, false};
    const struct record_field fields[] = {{COLUMN_MASS, 7, type, 0, false},
                                          {COLUMN_GALAXY, 1, type, 7 * (size_t)type.bytes, false}};
    npy_header_make(header, 'f', type.bytes, 2, shape);
    body_output_put(output, header, sizeof header);
    records_write(output, fields, galaxies ? 2 : 1, shape[1] * type.bytes, bodies);
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
