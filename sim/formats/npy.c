/* NumPy's arrays: a .npy file of format 1 or 2 that holds N x 7 or N x 8 numbers, float32 or
 * float64, little-endian, row by row. The header is a Python dictionary
 * in one line: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 7), }
 * (numpy.lib.format, version 1.0 and 2.0). */
#include "sim/formats/format.h"

#include "sim/formats/columns.h"
#include "sim/formats/input.h"
#include "sim/formats/output.h"
#include "sim/formats/rows.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 6, HEADER_MAX = 4096 };
static const unsigned char magic[MAGIC] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

struct npy {
    const char *path;
    struct body_input *input;
    size_t bytes; /* of a number: 4 or 8 */
    uint64_t rows, columns;
};

static const char *blanks(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

/* What follows 'name': in the dictionary. */
static const char *value_of(const char *header, const char *name)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", name);
    const char *at = strstr(header, quoted);
    at = at ? blanks(at + strlen(quoted)) : NULL;
    return at && *at == ':' ? blanks(at + 1) : NULL;
}

static const char *read_whole(const char *at, uint64_t *out)
{
    at = blanks(at);
    if (!isdigit((unsigned char)*at) || strspn(at, "0123456789") > 18)
        return NULL;
    char *end;
    *out = strtoull(at, &end, 10);
    return blanks(end);
}

/* (N, columns) */
static bool read_shape(struct npy *npy, const char *at)
{
    at = at && *at == '(' ? read_whole(at + 1, &npy->rows) : NULL;
    at = at && *at == ',' ? read_whole(at + 1, &npy->columns) : NULL;
    if (at && *at == ',')
        at = blanks(at + 1);
    return at && *at == ')';
}

static enum status understand(struct npy *npy, const char *header)
{
    const char *type = value_of(header, "descr"), *order = value_of(header, "fortran_order");
    const bool f4 = type && strncmp(type, "'<f4'", 5) == 0,
               f8 = type && strncmp(type, "'<f8'", 5) == 0;
    npy->bytes = f4 ? 4 : 8;
    if (!f4 && !f8)
        return status_fail(STATUS_USAGE,
                           "%s is an array of %.12s, expected '<f4' or '<f8'; save it with "
                           ".astype('<f8')",
                           npy->path, type ? type : "no type");
    if (!order || strncmp(order, "False", 5) != 0)
        return status_fail(STATUS_USAGE,
                           "%s is stored column by column; save numpy.ascontiguousarray(a) instead",
                           npy->path);
    if (!read_shape(npy, value_of(header, "shape")) ||
        (npy->columns != COLUMNS_PLAIN && npy->columns != COLUMNS_NEEDED) || npy->rows == 0)
        return status_fail(STATUS_USAGE,
                           "%s has not the shape (N, 7) or (N, 8) of mass x y z vx vy vz and the "
                           "galaxy's index",
                           npy->path);
    return STATUS_OK;
}

static enum status read_header(struct npy *npy)
{
    static const char what[] = "its header";
    unsigned char head[MAGIC + 2], size[4] = {0};
    char text[HEADER_MAX + 1];
    enum status status = body_input_take(npy->input, head, sizeof head, what);
    if (status != STATUS_OK)
        return status;
    if (memcmp(head, magic, MAGIC) != 0 || head[MAGIC] < 1 || head[MAGIC] > 2)
        return status_fail(STATUS_USAGE,
                           "%s is a NumPy file of format %d, and 1 and 2 can be read; save it with "
                           "numpy.save",
                           npy->path, head[MAGIC]);
    status = body_input_take(npy->input, size, head[MAGIC] == 1 ? 2 : 4, what);
    if (status != STATUS_OK)
        return status;
    const uint32_t length = (uint32_t)size[0] | (uint32_t)size[1] << 8 | (uint32_t)size[2] << 16 |
                            (uint32_t)size[3] << 24;
    if (length > HEADER_MAX)
        return status_fail(STATUS_USAGE,
                           "the header of %s has %" PRIu32
                           " bytes, and that of an array of numbers "
                           "has at most %d",
                           npy->path, length, HEADER_MAX);
    status = body_input_take(npy->input, text, length, what);
    text[length] = '\0';
    return status == STATUS_OK ? understand(npy, text) : status;
}

static double number(const unsigned char *at, size_t bytes)
{
    float narrow;
    double wide;
    if (bytes == sizeof narrow)
        memcpy(&narrow, at, sizeof narrow);
    else
        memcpy(&wide, at, sizeof wide);
    return bytes == sizeof narrow ? (double)narrow : wide;
}

static enum status read_rows(const struct npy *npy, struct body_rows *rows)
{
    unsigned char bytes[COLUMNS_PLAIN * sizeof(double)];
    double value[COLUMNS_PLAIN] = {0};
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < npy->rows && status == STATUS_OK; i++) {
        struct body_row row = {.mass = 0};
        status = body_input_take(npy->input, bytes, npy->columns * npy->bytes, "its numbers");
        if (status != STATUS_OK)
            return status;
        for (size_t c = 0; c < npy->columns; c++)
            value[c] = number(bytes + c * npy->bytes, npy->bytes);
        status = column_row(value, npy->columns == COLUMNS_PLAIN, &row);
        if (status != STATUS_OK)
            return status_prefix(status, "%s, row %" PRIu64, npy->path, i);
        status = body_rows_add(rows, &row);
    }
    return status == STATUS_OK ? body_input_end(npy->input) : status;
}

/* Room for as many rows as the shape says only where the file is known to be that long. */
static enum status read_array(struct npy *npy, struct snapshot *out)
{
    struct body_rows rows = {.has_galaxies = npy->columns == COLUMNS_PLAIN};
    const bool known = body_input_left(npy->input) != UINT64_MAX;
    enum status status = body_rows_check(npy->path, npy->rows);
    if (status == STATUS_OK)
        status =
            body_input_promise(npy->input, npy->rows, npy->columns * npy->bytes, "its numbers");
    if (status == STATUS_OK)
        status = body_rows_begin(&rows, out, known ? (size_t)npy->rows : 0);
    if (status == STATUS_OK)
        status = read_rows(npy, &rows);
    if (status == STATUS_OK)
        body_rows_end(&rows);
    return status;
}

static enum status read(const char *path, struct snapshot *out)
{
    struct npy npy = {.path = path};
    enum status status = body_input_open(&npy.input, path);
    if (status == STATUS_OK)
        status = read_header(&npy);
    if (status == STATUS_OK)
        status = read_array(&npy, out);
    out->single = npy.bytes == sizeof(float);
    body_input_close(&npy.input);
    return status;
}

/* The header fills 128 bytes, as NumPy has it. */
static enum status write(const char *path, const struct snapshot *snapshot)
{
    enum { HEADER = 128 };
    const struct bodies *bodies = snapshot->bodies;
    const bool galaxies = bodies->component_count > 1;
    char header[HEADER + 1];
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    memset(header, ' ', HEADER);
    memcpy(header, magic, MAGIC);
    memcpy(header + MAGIC, "\1\0\x76\0", 4);
    const int length = snprintf(header + 10, HEADER - 10,
                                "{'descr': '<f%d', 'fortran_order': False, 'shape': (%zu, %d), }",
                                snapshot->single ? 4 : 8, bodies->count, galaxies ? 8 : 7);
    header[10 + length] = ' ';
    header[HEADER - 1] = '\n';
    body_output_put(output, header, HEADER);
    for (size_t c = 0, i = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++) {
            const double *x = bodies->position[i], *v = bodies->velocity[i];
            const double row[COLUMNS_PLAIN] = {bodies->mass[i], x[0], x[1], x[2], v[0], v[1], v[2],
                                               (double)c};
            for (int k = 0; k < (galaxies ? 8 : 7); k++) {
                const float narrow = (float)row[k];
                if (snapshot->single)
                    body_output_put(output, &narrow, sizeof narrow);
                else
                    body_output_put(output, &row[k], sizeof row[k]);
            }
        }
    return body_output_close(&output, STATUS_OK);
}

static bool probe(const struct format_head *head)
{
    return head->size >= MAGIC && memcmp(head->bytes, magic, MAGIC) == 0;
}

const struct format format_npy = {
    .name = "npy",
    .doc = "a NumPy array of N x 7 or N x 8 float32 or float64",
    .extensions = "npy",
    .probe = probe,
    .read = read,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_DOUBLES,
};
