#include "sim/formats/records.h"

#include "base/memory.h"
#include "sim/formats/further.h"
#include "sim/formats/zip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

/* The bits of a number; negative integers are extended. */
static uint64_t bits_of(const struct number_type *type, const unsigned char *at)
{
    const unsigned unused = 64 - 8 * type->bytes;
    uint64_t bits = 0;
    memcpy(&bits, at, type->bytes);
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

double number_at(const struct number_type *type, const unsigned char *at)
{
    if (type->kind == 'f' && type->bytes == sizeof(float))
        return (double)bytes_f32(at, type->big_endian);
    if (type->kind == 'f' && type->bytes == sizeof(double))
        return bytes_f64(at, type->big_endian);
    const uint64_t bits = bits_of(type, at);
    return type->kind == 'i'   ? (double)(int64_t)bits
           : type->kind == 'u' ? (double)bits
                               : half_number(bits);
}

void numbers_take(const struct number_type *type, const unsigned char *at, size_t stride,
                  size_t count, double *to, size_t step)
{
    const bool swap = type->big_endian, real = type->kind == 'f';
    if (real && type->bytes == sizeof(float))
        for (size_t i = 0; i < count; i++)
            to[i * step] = (double)bytes_f32(at + i * stride, swap);
    else if (real && type->bytes == sizeof(double))
        for (size_t i = 0; i < count; i++)
            to[i * step] = bytes_f64(at + i * stride, swap);
    else
        for (size_t i = 0; i < count; i++)
            to[i * step] = number_at(type, at + i * stride);
}

bool number_id(const struct number_type *type, const unsigned char *at, uint64_t *out)
{
    *out = bits_of(type, at);
    if (type->kind == 'u')
        return true;
    if (type->kind == 'i')
        return (int64_t)*out >= 0;
    const int digits = type->bytes == 2 ? 11 : type->bytes == sizeof(float) ? 24 : 53;
    const double value = number_at(type, at);
    *out = value >= 0 && value < ldexp(1, digits) ? (uint64_t)value : 0;
    return (double)*out == value;
}

bool number_rounds(const struct number_type *type, const unsigned char *at)
{
    static const double end = 18446744073709551616.0; /* 2^64 */
    if (type->kind == 'f' || type->bytes < sizeof(uint64_t))
        return false;
    const uint64_t bits = bits_of(type, at);
    const bool negative = type->kind == 'i' && (int64_t)bits < 0;
    const uint64_t whole = negative ? -bits : bits;
    return (double)whole == end || (uint64_t)(double)whole != whole;
}

static void number_put(const struct number_type *type, double value, unsigned char *at)
{
    if (type->kind == 'f' && type->bytes == sizeof(float))
        bytes_put_f32(at, (float)value, type->big_endian);
    else if (type->kind == 'f')
        bytes_put_f64(at, value, type->big_endian);
    else
        bytes_put_u32(at, (uint32_t)value, type->big_endian);
}

/* ---- reading ---- */

/* The numbers of a column, of which consecutive ones are `step` apart; NULL: it has none. */
static double *column_of(const struct bodies *bodies, int column, size_t *step)
{
    const size_t further = (size_t)(column - COLUMN_FURTHER);
    *step = column >= COLUMN_X && column < COLUMN_GALAXY ? 3 : 1;
    return column == COLUMN_MASS             ? bodies->mass
           : column < COLUMN_VX              ? &bodies->position[0][column - COLUMN_X]
           : column < COLUMN_GALAXY          ? &bodies->velocity[0][column - COLUMN_VX]
           : column < COLUMN_FURTHER         ? NULL
           : further < bodies->columns.count ? bodies->columns.list[further].value
                                             : NULL;
}

static void take_ids(const struct record_block *block, const struct record_field *field,
                     struct body_rows *rows, const unsigned char *at, size_t first, size_t count)
{
    const struct bodies *bodies = rows->snapshot->bodies;
    for (size_t i = 0; i < count && bodies->id; i++, at += block->size)
        if (!number_id(&field->type, at, &bodies->id[first + i]))
            body_rows_refuse_id(rows, block->path, first + i + 1, number_at(&field->type, at));
}

static enum status take_galaxies(const struct record_block *block, const struct record_field *field,
                                 const struct snapshot *snapshot, const unsigned char *at,
                                 size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++, at += block->size) {
        const double galaxy = number_at(&field->type, at);
        if (!column_is_galaxy(galaxy))
            return status_fail(
                STATUS_USAGE,
                "%s: the galaxy of body %zu is %g, but must be a whole number from 0 to %d",
                block->path, first + i + 1, galaxy, BODY_GALAXIES - 1);
        snapshot->group[first + i] = (uint32_t)galaxy;
    }
    return STATUS_OK;
}

static enum status take_field(const struct record_block *block, struct record_field *field,
                              struct body_rows *rows, const unsigned char *records, size_t first,
                              size_t count)
{
    const unsigned char *at = records + field->offset;
    if (field->column == COLUMN_ID)
        take_ids(block, field, rows, at, first, count);
    if (field->column == COLUMN_GALAXY)
        return take_galaxies(block, field, rows->snapshot, at, first, count);
    for (unsigned k = 0; k < field->across; k++, at += field->type.bytes) {
        size_t step;
        double *to = column_of(rows->snapshot->bodies, field->column + (int)k, &step);
        if (to)
            numbers_take(&field->type, at, block->size, count, to + first * step, step);
    }
    const size_t further = (size_t)(field->column - COLUMN_FURTHER);
    const bool kept =
        field->column >= COLUMN_FURTHER && further < rows->snapshot->bodies->columns.count;
    at = records + field->offset;
    for (size_t i = 0; i < count && kept && !field->rounded; i++)
        field->rounded = number_rounds(&field->type, at + i * block->size);
    return STATUS_OK;
}

static enum status take_records(const struct record_block *block, struct body_rows *rows,
                                unsigned char *records, size_t first, size_t count)
{
    const size_t bytes = count * block->size;
    enum status status = block->zip ? zip_take(block->zip, records, bytes)
                                    : body_input_take(block->input, records, bytes, block->what);
    if (status == STATUS_OK)
        status = body_rows_reach(rows, first + count);
    if (status == STATUS_OK && block->see)
        status = block->see(block->user, records, first, count);
    for (size_t f = 0; f < block->field_count && status == STATUS_OK; f++)
        status = take_field(block, &block->fields[f], rows, records, first, count);
    return status;
}

enum status records_read(const struct record_block *block, struct body_rows *rows, size_t first)
{
    enum { WIDE = 1024, PART = 64 };
    const size_t most = block->size > WIDE ? RECORDS_CHUNK / PART : RECORDS_CHUNK;
    unsigned char *records = memory_new(most, block->size);
    enum status status = STATUS_OK;
    for (uint64_t done = 0; done < block->count && status == STATUS_OK; done += most) {
        const uint64_t left = block->count - done;
        status = take_records(block, rows, records, first + (size_t)done,
                              left < most ? (size_t)left : most);
    }
    free(records);
    return status;
}

/* ---- writing ---- */

void record_make(const struct record_field *fields, size_t count, const struct bodies *bodies,
                 size_t i, size_t c, unsigned char *record)
{
    for (size_t f = 0; f < count; f++) {
        const struct record_field *field = &fields[f];
        unsigned char *at = record + field->offset;
        if (field->column == COLUMN_ID && field->type.bytes == sizeof(uint64_t))
            bytes_put_u64(at, bodies->id ? bodies->id[i] : i + 1, field->type.big_endian);
        else if (field->column == COLUMN_ID)
            bytes_put_u32(at, (uint32_t)(bodies->id ? bodies->id[i] : i + 1),
                          field->type.big_endian);
        else
            for (unsigned k = 0; k < field->across; k++, at += field->type.bytes) {
                size_t step;
                const double *from = column_of(bodies, field->column + (int)k, &step);
                number_put(&field->type, from ? from[i * step] : (double)c, at);
            }
    }
}

void records_write(struct body_output *output, const struct record_field *fields, size_t count,
                   size_t size, const struct bodies *bodies)
{
    unsigned char *record = memory_new(size, 1);
    for (size_t c = 0, i = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++) {
            record_make(fields, count, bodies, i, c, record);
            body_output_put(output, record, size);
        }
    free(record);
}

bool records_keep_ids(const struct bodies *bodies, uint64_t end)
{
    size_t i = 0;
    while (bodies->id && i < bodies->count && bodies->id[i] < end)
        i++;
    return bodies->id && i == bodies->count;
}

/* ---- records whose fields a header names ---- */

static void note_further(struct record_layout *layout, const char *name,
                         const struct record_field *field)
{
    struct record_field *further = &layout->field[layout->count++];
    *further = *field;
    further->column = COLUMN_FURTHER + (int)layout->noted.count;
    further_note(&layout->noted, name, "",
                 field->type.kind == 'f' && field->type.bytes <= sizeof(float));
}

enum status record_layout_add(struct record_layout *layout, struct snapshot *out, const char *path,
                              const char *name, const struct record_field *field)
{
    const size_t length = strlen(name);
    const int vector = column_find_vector(name, length), single = column_find(name, length);
    const int first = field->across == 3 ? vector : field->across == 1 ? single : -1;
    const bool number = field->type.kind != 0 && layout->count < RECORD_FIELDS;
    if (first < 0 && number && field->across == 1 && further_wanted(out, &layout->noted, name)) {
        note_further(layout, name, field);
        return STATUS_OK;
    }
    if (first < 0 || !number || (first == COLUMN_ID && layout->has[COLUMN_ID])) {
        snapshot_leave(out, name);
        return STATUS_OK;
    }
    for (unsigned k = 0; k < field->across; k++) {
        if (layout->has[first + (int)k])
            return status_fail(STATUS_USAGE, "%s: two fields are the %s; leave one of them out",
                               path, column_names[first + (int)k]);
        layout->has[first + (int)k] = true;
    }
    layout->field[layout->count] = *field;
    layout->field[layout->count++].column = first;
    return STATUS_OK;
}

/* Whether positions and velocities are floats; a mass may be an integer or a double. */
static bool are_floats(const struct record_layout *layout)
{
    for (size_t f = 0; f < layout->count; f++) {
        const struct record_field *field = &layout->field[f];
        const bool needed = field->column >= COLUMN_X && field->column < COLUMN_GALAXY;
        if (needed && (field->type.kind != 'f' || field->type.bytes > sizeof(float)))
            return false;
    }
    return true;
}

static enum status check_layout(const struct record_layout *layout, const char *path)
{
    for (int c = 0; c < COLUMNS_NEEDED; c++)
        if (!layout->has[c])
            return status_fail(STATUS_USAGE,
                               "%s: its records have no field for %s; name the fields mass, x, y, "
                               "z, vx, vy and vz",
                               path, column_names[c]);
    return STATUS_OK;
}

static enum status read_blocks(struct record_layout *layout, struct record_block block,
                               bool by_columns, struct body_rows *rows)
{
    enum status status = STATUS_OK;
    block.fields = layout->field;
    block.field_count = by_columns ? 1 : layout->count;
    for (size_t f = 0; f < layout->count && status == STATUS_OK; f += block.field_count) {
        block.fields = &layout->field[f];
        if (by_columns)
            block.size = block.fields->type.bytes;
        status = records_read(&block, rows, 0);
    }
    return status;
}

enum status record_layout_read(struct record_layout *layout, const struct record_block *block,
                               bool by_columns, struct snapshot *out)
{
    struct body_rows rows = {.has_galaxies = layout->has[COLUMN_GALAXY],
                             .has_ids = layout->has[COLUMN_ID],
                             .further = layout->noted};
    const bool known = body_input_left(block->input) != UINT64_MAX;
    layout->noted = (struct body_columns){0};
    enum status status = check_layout(layout, block->path);
    if (status == STATUS_OK)
        status = body_rows_check(block->path, block->count);
    if (status == STATUS_OK)
        status = body_input_promise(block->input, block->count, block->size, block->what);
    if (status == STATUS_OK)
        status = body_rows_begin(&rows, out, known ? (size_t)block->count : 0);
    if (status == STATUS_OK)
        status = read_blocks(layout, *block, by_columns, &rows);
    body_columns_free(&rows.further);
    if (status != STATUS_OK)
        return status;
    out->bodies->count = (size_t)block->count;
    out->single = are_floats(layout);
    for (size_t f = 0; f < layout->count; f++)
        if (layout->field[f].rounded)
            snapshot_round(
                out, out->bodies->columns.list[layout->field[f].column - COLUMN_FURTHER].name);
    status = bodies_check(out->bodies, 0, out->bodies->count, 0, block->path);
    if (status == STATUS_OK)
        body_rows_end(&rows);
    return status;
}
