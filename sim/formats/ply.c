/* Stanford's PLY as binary points: a text header that names the properties of a vertex, then a
 * record for each vertex. Properties have the names of a table's columns; others are additional
 * columns. */
#include "sim/formats/formats.h"
#include "sim/formats/records.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024, LINES_MAX = 4096, WORDS = 5 };
#define IDS_END ((uint64_t)1 << 32)

struct ply {
    const char *path;
    struct body_input *input;
    bool big_endian;
    uint64_t count;                /* number of vertices */
    unsigned elements, properties; /* properties: of a vertex */
    struct record_layout vertex;
    size_t bytes; /* per vertex */
};

/* ---- reading ---- */

static struct number_type type_of(const char *word, bool big_endian)
{
    static const struct {
        const char *name, *sized;
        char kind;
        unsigned bytes;
    } types[] = {{"char", "int8", 'i', 1},     {"uchar", "uint8", 'u', 1},
                 {"short", "int16", 'i', 2},   {"ushort", "uint16", 'u', 2},
                 {"int", "int32", 'i', 4},     {"uint", "uint32", 'u', 4},
                 {"float", "float32", 'f', 4}, {"double", "float64", 'f', 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(word, types[i].name) == 0 || strcmp(word, types[i].sized) == 0)
            return (struct number_type){types[i].kind, types[i].bytes, big_endian};
    return (struct number_type){0};
}

static enum status read_line(struct ply *ply, char line[LINE])
{
    size_t length = 0;
    for (;;) {
        char letter;
        const enum status status = body_input_take(ply->input, &letter, 1, "its header");
        if (status != STATUS_OK)
            return status;
        if (letter == '\n')
            break;
        if (length + 1 == LINE || letter == '\0')
            return status_fail(STATUS_USAGE, "%s: a line of the PLY header is %s", ply->path,
                               letter ? "too long" : "not text");
        line[length++] = letter;
    }
    line[length > 0 && line[length - 1] == '\r' ? length - 1 : length] = '\0';
    return STATUS_OK;
}

static int split(char *line, char *words[WORDS])
{
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t", &rest); word && count < WORDS;
         word = strtok_r(NULL, " \t", &rest))
        words[count++] = word;
    return count;
}

static enum status take_format(struct ply *ply, const char *word)
{
    ply->big_endian = strcmp(word, "binary_big_endian") == 0;
    if (ply->big_endian || strcmp(word, "binary_little_endian") == 0)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "%s: the PLY format is '%.40s', and binary_little_endian and "
                       "binary_big_endian are read; save it as a binary file",
                       ply->path, word);
}

/* Elements after the vertices are not read; elements before them cannot be skipped. */
static enum status take_element(struct ply *ply, const char *name, const char *count)
{
    if (strcmp(name, "vertex") != 0)
        return status_fail(STATUS_USAGE,
                           "%s: the first element is '%.40s', expected vertex; save its points "
                           "alone",
                           ply->path, name);
    return text_parse_digits(count, strlen(count), &ply->count)
               ? STATUS_OK
               : status_fail(STATUS_USAGE, "%s: the number of vertices is '%.40s'", ply->path,
                             count);
}

static enum status take_property(struct ply *ply, const char *type, const char *name,
                                 struct snapshot *out)
{
    const struct record_field field = {
        .across = 1, .type = type_of(type, ply->big_endian), .offset = ply->bytes};
    if (field.type.kind == 0)
        return status_fail(STATUS_USAGE,
                           "%s: the property %.60s of a vertex is of type '%.40s', expected a "
                           "number",
                           ply->path, name, type);
    if (ply->properties++ == RECORD_FIELDS)
        return status_fail(STATUS_USAGE, "%s: a vertex has more than %d properties", ply->path,
                           RECORD_FIELDS);
    ply->bytes += field.type.bytes;
    return record_layout_add(&ply->vertex, out, ply->path, name, &field);
}

static enum status read_header(struct ply *ply, struct snapshot *out)
{
    char line[LINE], *words[WORDS];
    bool formatted = false;
    enum status status = STATUS_OK;
    for (int n = 0; status == STATUS_OK; n++) {
        status = read_line(ply, line);
        const int count = status == STATUS_OK ? split(line, words) : 0;
        if (status == STATUS_OK && n == LINES_MAX)
            return status_fail(STATUS_USAGE, "%s: the PLY header has more than %d lines", ply->path,
                               LINES_MAX);
        if (count == 0 || strcmp(words[0], "comment") == 0 || strcmp(words[0], "obj_info") == 0 ||
            (n == 0 && strcmp(words[0], "ply") == 0))
            continue;
        if (strcmp(words[0], "end_header") == 0)
            break;
        if (strcmp(words[0], "format") == 0 && count > 1) {
            status = take_format(ply, words[1]);
            formatted = true;
        } else if (strcmp(words[0], "element") == 0 && count == 3 && formatted) {
            if (ply->elements++ == 0)
                status = take_element(ply, words[1], words[2]);
        } else if (strcmp(words[0], "property") == 0 && count >= 3 && ply->elements > 0) {
            if (ply->elements == 1)
                status = take_property(ply, words[1], words[2], out);
        } else
            status = status_fail(STATUS_USAGE, "%s: line %d of the PLY header, '%.40s', is invalid",
                                 ply->path, n + 1, words[0]);
    }
    return status;
}

/* Reads what follows the vertices, so that damage in a packed file is noticed. */
static enum status pass_over(struct ply *ply)
{
    unsigned char bytes[4096];
    size_t got = 1;
    enum status status = STATUS_OK;
    while (ply->elements > 1 && got > 0 && status == STATUS_OK)
        status = body_input_read(ply->input, bytes, sizeof bytes, &got);
    return status == STATUS_OK ? body_input_end(ply->input) : status;
}

static enum status read(const char *path, struct snapshot *out)
{
    struct ply ply = {.path = path};
    enum status status = body_input_open(&ply.input, path);
    if (status == STATUS_OK)
        status = read_header(&ply, out);
    const struct record_block block = {.path = path,
                                       .what = "its vertices",
                                       .input = ply.input,
                                       .count = ply.count,
                                       .size = ply.bytes};
    if (status == STATUS_OK)
        status = record_layout_read(&ply.vertex, &block, false, out);
    if (status == STATUS_OK)
        status = pass_over(&ply);
    body_columns_free(&ply.vertex.noted);
    body_input_close(&ply.input);
    return status;
}

/* ---- writing ---- */

/* A name that Blender and Houdini accept: letters, digits and _, not starting with a digit, and
 * different from PLY's names for normals, colours and texture coordinates. */
static void property_name(const char *name, char out[BODY_COLUMN_NAME + 2])
{
    static const char *const taken[] = {"nx", "ny", "nz", "red", "green", "blue", "alpha", "s"};
    size_t used = 0;
    if (isdigit((unsigned char)*name))
        out[used++] = '_';
    for (const char *at = name; *at; at++)
        out[used++] = isalnum((unsigned char)*at) && (unsigned char)*at < 128 ? *at : '_';
    out[used] = '\0';
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(out, taken[i]) == 0)
            memcpy(out + used, "_", 2);
}

static enum status put_names(struct body_output *output, const char *path,
                             const struct body_columns *columns)
{
    char(*names)[BODY_COLUMN_NAME + 2] = memory_new(columns->count + 1, sizeof *names);
    enum status status = STATUS_OK;
    for (size_t c = 0; c < columns->count && status == STATUS_OK; c++) {
        const char *name = columns->list[c].name;
        property_name(name, names[c]);
        if (strcmp(name, names[c]) != 0)
            log_info("%s: the column '%s' is the property %s", path, name, names[c]);
        for (size_t k = 0; k < c && status == STATUS_OK; k++)
            if (strcmp(names[c], names[k]) == 0)
                status = status_fail(STATUS_USAGE,
                                     "the columns '%s' and '%s' both become the property %s of a "
                                     "PLY file; rename one of them",
                                     columns->list[k].name, name, names[c]);
        body_output_print(output, "property float %s\n", names[c]);
    }
    free(names);
    return status;
}

static enum status check_numbers(const struct bodies *bodies, const char *path)
{
    for (size_t i = 0; i < bodies->count; i++) {
        const double *x = bodies->position[i], *v = bodies->velocity[i];
        const double number[COLUMNS_NEEDED] = {x[0], x[1], x[2], v[0], v[1], v[2], bodies->mass[i]};
        for (int c = 0; c < COLUMNS_NEEDED; c++)
            if (isfinite(number[c]) && fabs(number[c]) > FLT_MAX)
                return status_fail(STATUS_USAGE,
                                   "%s: body %zu has %g, which is too large for the 32 bits of "
                                   "PLY; choose other units or another format",
                                   path, i + 1, number[c]);
    }
    return STATUS_OK;
}

/* The position comes first, because some readers expect it there. */
static size_t place_fields(const struct bodies *bodies, bool ids, struct record_field *field,
                           size_t *size)
{
    static const struct number_type real = {'f', 4, false}, whole = {'u', 4, false};
    size_t count = 0;
    field[count++] = (struct record_field){COLUMN_X, 6, real, 0, false};
    field[count++] = (struct record_field){COLUMN_MASS, 1, real, 0, false};
    if (bodies->component_count > 1)
        field[count++] = (struct record_field){COLUMN_GALAXY, 1, whole, 0, false};
    if (ids)
        field[count++] = (struct record_field){COLUMN_ID, 1, whole, 0, false};
    for (size_t c = 0; c < bodies->columns.count; c++)
        field[count++] = (struct record_field){COLUMN_FURTHER + (int)c, 1, real, 0, false};
    for (size_t f = *size = 0; f < count; f++) {
        field[f].offset = *size;
        *size += field[f].across * sizeof(float);
    }
    return count;
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const bool ids = records_keep_ids(bodies, IDS_END);
    struct body_output *output;
    enum status status = check_numbers(bodies, path);
    if (status == STATUS_OK)
        status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_output_print(output,
                      "ply\nformat binary_little_endian 1.0\ncomment bodies, by gravreel\n"
                      "element vertex %zu\nproperty float x\nproperty float y\nproperty float z\n"
                      "property float vx\nproperty float vy\nproperty float vz\n"
                      "property float mass\n%s%s",
                      bodies->count, bodies->component_count > 1 ? "property int galaxy\n" : "",
                      ids ? "property uint id\n" : "");
    status = put_names(output, path, &bodies->columns);
    body_output_print(output, "end_header\n");
    size_t size;
    struct record_field *field = memory_new(COLUMNS + bodies->columns.count, sizeof *field);
    const size_t count = place_fields(bodies, ids, field, &size);
    if (status == STATUS_OK)
        records_write(output, field, count, size, bodies);
    free(field);
    return body_output_close(&output, status);
}

static bool probe(const struct format_head *head)
{
    return head->size > 4 && memcmp(head->bytes, "ply", 3) == 0 &&
           (head->bytes[3] == '\n' || head->bytes[3] == '\r');
}

const struct format format_ply = {
    .name = "ply",
    .doc = "binary PLY points, for Blender and Houdini: x y z vx vy vz mass and all columns, as "
           "float32",
    .extensions = "ply",
    .probe = probe,
    .read = read,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_IDS | KEEPS_COLUMNS,
    .ids_end = IDS_END,
};
