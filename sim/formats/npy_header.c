#include "sim/formats/npy_header.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
