#include "sim/formats/npy_header.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 4096 };
const unsigned char npy_magic[NPY_MAGIC] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

static const char *blanks(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

/* What follows 'name': in the dictionary. */
static const char *value_of(const char *text, const char *name)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", name);
    const char *at = strstr(text, quoted);
    at = at ? blanks(at + strlen(quoted)) : NULL;
    return at && *at == ':' ? blanks(at + 1) : NULL;
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

/* '<f8' and the like; what is something else has the kind 0. */
static void read_type(struct npy_header *out, const char *at)
{
    if (!at || *at != '\'')
        return;
    const size_t length = strcspn(at + 1, "'");
    snprintf(out->type, sizeof out->type, "%.*s", (int)(length < NPY_TYPE ? length : NPY_TYPE),
             at + 1);
    const char order = out->type[0], kind = out->type[1], width = out->type[2];
    const bool known = length == 3 && strchr("<>|", order) && strchr("fiu", kind) &&
                       strchr(kind == 'f' ? "48" : "1248", width);
    if (!known || (order == '|') != (width == '1'))
        return;
    out->kind = kind;
    out->bytes = (unsigned)(width - '0');
    out->big_endian = order == '>';
}

static enum status understand(const char *text, const char *name, struct npy_header *out)
{
    const char *order = value_of(text, "fortran_order");
    read_type(out, value_of(text, "descr"));
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
    *out = (struct npy_header){.kind = 0};
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

uint64_t npy_whole(const struct npy_header *header, const unsigned char *numbers, size_t i)
{
    const unsigned unused = 64 - 8 * header->bytes;
    uint64_t bits = 0;
    memcpy(&bits, numbers + i * header->bytes, header->bytes);
    if (header->big_endian)
        bits = __builtin_bswap64(bits) >> unused;
    return header->kind == 'i' ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

double npy_number(const struct npy_header *header, const unsigned char *numbers, size_t i)
{
    const uint64_t bits = npy_whole(header, numbers, i);
    if (header->kind == 'i')
        return (double)(int64_t)bits;
    if (header->kind == 'u')
        return (double)bits;
    const uint32_t half = (uint32_t)bits;
    float narrow;
    double wide;
    memcpy(&narrow, &half, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return header->bytes == sizeof narrow ? (double)narrow : wide;
}

void npy_numbers(const struct npy_header *header, const unsigned char *numbers, size_t count,
                 double *to, size_t step)
{
    const bool plain = header->kind == 'f' && !header->big_endian;
    for (size_t i = 0; i < count && plain && header->bytes == sizeof(float); i++) {
        float narrow;
        memcpy(&narrow, numbers + i * sizeof narrow, sizeof narrow);
        to[i * step] = (double)narrow;
    }
    for (size_t i = 0; i < count && plain && header->bytes == sizeof(double); i++)
        memcpy(&to[i * step], numbers + i * sizeof *to, sizeof *to);
    for (size_t i = 0; i < count && !plain; i++)
        to[i * step] = npy_number(header, numbers, i);
}
