/* NumPy's arrays: a .npy file of format 1 or 2 that holds N x 7 or N x 8 numbers, float32 or
 * float64, little-endian, row by row, also compressed with gzip. The header is a Python dictionary
 * in one line: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 7), }
 * (numpy.lib.format, version 1.0 and 2.0). */
#include "sim/bodies/formats.h"

#include "sim/bodies/columns.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MAGIC = 6, HEADER_MAX = 4096 };
static const unsigned char magic[MAGIC] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

struct npy {
    const char *path;
    gzFile file;
    size_t bytes; /* of a number: 4 or 8 */
    uint64_t rows, columns;
};

static enum status cut_short(const struct npy *npy, const char *where)
{
    int code;
    gzerror(npy->file, &code);
    return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR
               ? status_fail(STATUS_IO, "%s ends within %s; copy or save it again", npy->path,
                             where)
               : status_fail(STATUS_IO, "%s cannot be read (%s); copy or save it again", npy->path,
                             code == Z_ERRNO ? strerror(errno) : "damaged gzip data");
}

/* A compressed file that is cut short may still give all numbers. */
static bool is_whole(const struct npy *npy)
{
    int code;
    gzerror(npy->file, &code);
    return code == Z_OK || code == Z_STREAM_END;
}

static bool get(const struct npy *npy, void *to, unsigned size)
{
    return gzread(npy->file, to, size) == (int)size;
}

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
        (npy->columns != COLUMNS && npy->columns != COLUMNS_NEEDED) || npy->rows == 0)
        return status_fail(STATUS_USAGE,
                           "%s has not the shape (N, 7) or (N, 8) of mass x y z vx vy vz and the "
                           "galaxy's index",
                           npy->path);
    return STATUS_OK;
}

static enum status read_header(struct npy *npy)
{
    unsigned char head[MAGIC + 2], size[4] = {0};
    char text[HEADER_MAX + 1];
    if (!get(npy, head, sizeof head))
        return cut_short(npy, "its header");
    if (memcmp(head, magic, MAGIC) != 0 || head[MAGIC] < 1 || head[MAGIC] > 2)
        return status_fail(STATUS_USAGE,
                           "%s is a NumPy file of format %d, and 1 and 2 can be read; save it with "
                           "numpy.save",
                           npy->path, head[MAGIC]);
    if (!get(npy, size, head[MAGIC] == 1 ? 2 : 4))
        return cut_short(npy, "its header");
    const uint32_t length = (uint32_t)size[0] | (uint32_t)size[1] << 8 | (uint32_t)size[2] << 16 |
                            (uint32_t)size[3] << 24;
    if (length > HEADER_MAX)
        return status_fail(STATUS_USAGE,
                           "the header of %s has %" PRIu32
                           " bytes, and that of an array of numbers "
                           "has at most %d",
                           npy->path, length, HEADER_MAX);
    if (!get(npy, text, length))
        return cut_short(npy, "its header");
    text[length] = '\0';
    return understand(npy, text);
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

/* Rows come one by one: what the header promises is not believed. */
static enum status read_rows(const struct npy *npy, struct body_rows *rows)
{
    unsigned char bytes[COLUMNS * sizeof(double)];
    double value[COLUMNS] = {0};
    for (uint64_t i = 0; i < npy->rows; i++) {
        if (!get(npy, bytes, (unsigned)(npy->columns * npy->bytes)))
            return cut_short(npy, "its numbers");
        for (size_t c = 0; c < npy->columns; c++)
            value[c] = number(bytes + c * npy->bytes, npy->bytes);
        enum status status = body_rows_reserve(rows);
        if (status != STATUS_OK)
            return status;
        status = column_row(value, npy->columns == COLUMNS, &rows->row[rows->count]);
        if (status != STATUS_OK)
            return status_prefix(status, "%s, row %" PRIu64, npy->path, i);
        rows->count++;
    }
    const int more = gzread(npy->file, bytes, 1);
    if (more < 0 || !is_whole(npy))
        return cut_short(npy, "its gzip data");
    if (more > 0)
        return status_fail(STATUS_USAGE,
                           "%s has more data after the %" PRIu64
                           " rows of its shape; save the array alone",
                           npy->path, npy->rows);
    return STATUS_OK;
}

static enum status read_array(const char *path, struct body_rows *rows)
{
    struct npy npy = {.path = path, .file = gzopen(path, "rb")};
    if (!npy.file)
        return status_fail(STATUS_IO, "cannot open the bodies file %s: %s", path,
                           strerror(errno ? errno : ENOMEM));
    enum status status = read_header(&npy);
    if (status == STATUS_OK)
        status = read_rows(&npy, rows);
    gzclose_r(npy.file);
    column_groups(rows, npy.columns == COLUMNS);
    return status;
}

static bool probe(const unsigned char *head, size_t size)
{
    return size >= MAGIC && memcmp(head, magic, MAGIC) == 0;
}

const struct body_format body_format_npy = {
    .name = "npy",
    .doc = "a NumPy array of N x 7 or N x 8 float32 or float64, plain or gzip",
    .probe = probe,
    .read = read_array,
};
