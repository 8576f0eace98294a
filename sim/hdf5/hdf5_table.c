#include "sim/hdf5/hdf5_table.h"

#include <string.h>

bool convert_is_double(const struct hdf5_table *table)
{
    return table->class == HDF5_FLOAT && table->bytes == sizeof(double) && !table->big_endian;
}

bool convert_is_whole(const struct hdf5_table *table)
{
    return table->class != HDF5_FLOAT && table->bytes == sizeof(uint64_t) && !table->big_endian;
}

/* The bits of a number, in native byte order. */
static inline uint64_t load(const unsigned char *from, unsigned bytes, bool big)
{
    uint64_t bits = 0;
    memcpy(&bits, from, bytes);
    return big ? __builtin_bswap64(bits) >> (64 - 8 * bytes) : bits;
}

static inline double as_float(uint64_t bits, unsigned bytes)
{
    const uint32_t half = (uint32_t)bits;
    float narrow;
    double wide;
    memcpy(&narrow, &half, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return bytes == sizeof narrow ? (double)narrow : wide;
}

static inline int64_t as_signed(uint64_t bits, unsigned bytes)
{
    const unsigned unused = 64 - 8 * bytes;
    return (int64_t)(bits << unused) >> unused;
}

/* Inlined, so that each call with constants becomes one fast loop. */
static inline __attribute__((always_inline)) void numbers(const unsigned char *from, size_t rows,
                                                          size_t columns, double *to, size_t step,
                                                          enum hdf5_class class, unsigned bytes,
                                                          bool big)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t c = 0; c < columns; c++) {
            const uint64_t bits = load(from + (i * columns + c) * bytes, bytes, big);
            to[i * step + c] = class == HDF5_FLOAT    ? as_float(bits, bytes)
                               : class == HDF5_SIGNED ? (double)as_signed(bits, bytes)
                                                      : (double)bits;
        }
}

void convert_numbers(const struct hdf5_table *table, const void *from, size_t rows, double *to,
                     size_t step)
{
    const size_t columns = table->columns;
    if (convert_is_double(table) && step == columns)
        memcpy(to, from, rows * columns * sizeof *to);
    else if (table->class == HDF5_FLOAT && table->bytes == 4 && !table->big_endian &&
             step == columns)
        numbers(from, rows * columns, 1, to, 1, HDF5_FLOAT, 4, false);
    else if (table->class == HDF5_FLOAT && table->bytes == 4)
        numbers(from, rows, columns, to, step, HDF5_FLOAT, 4, table->big_endian);
    else if (table->class == HDF5_FLOAT)
        numbers(from, rows, columns, to, step, HDF5_FLOAT, 8, table->big_endian);
    else
        numbers(from, rows, columns, to, step, table->class, table->bytes, table->big_endian);
}

void convert_whole(const struct hdf5_table *table, const void *from, size_t count, uint64_t *to)
{
    const unsigned char *at = from;
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = load(at + i * table->bytes, table->bytes, table->big_endian);
        to[i] = table->class == HDF5_SIGNED ? (uint64_t)as_signed(bits, table->bytes) : bits;
    }
}

static bool float_id(double value, unsigned bytes, uint64_t *to)
{
    const double end = bytes == sizeof(float) ? 0x1p24 : 0x1p53;
    *to = value >= 0 && value < end ? (uint64_t)value : 0;
    return (double)*to == value;
}

size_t convert_ids(const struct hdf5_table *table, const void *from, size_t count, uint64_t *to)
{
    const unsigned char *at = from;
    const unsigned bytes = table->bytes;
    size_t i = 0;
    if (table->class == HDF5_FLOAT) {
        while (i < count &&
               float_id(as_float(load(at + i * bytes, bytes, table->big_endian), bytes), bytes,
                        &to[i]))
            i++;
        return i;
    }
    if (from != to)
        convert_whole(table, from, count, to);
    if (table->class == HDF5_UNSIGNED)
        return count;
    while (i < count && (int64_t)to[i] >= 0)
        i++;
    return i;
}

bool convert_rounds(const struct hdf5_table *table, const void *from, size_t count)
{
    const unsigned char *at = from;
    if (table->class == HDF5_FLOAT || table->bytes < sizeof(uint64_t))
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = load(at + i * sizeof bits, sizeof bits, table->big_endian);
        const uint64_t whole = table->class == HDF5_SIGNED && (int64_t)bits < 0 ? 0 - bits : bits;
        if ((double)whole == 0x1p64 || (uint64_t)(double)whole != whole)
            return true;
    }
    return false;
}

/* Sums that the processor can compute in parallel; each stays 0 unless a number is not finite. */
static bool all_finite(const double *numbers, size_t count)
{
    enum { LANES = 16 };
    double sum[LANES] = {0}, all = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            sum[k] += numbers[i + k] * 0;
    for (; i < count; i++)
        all += numbers[i] * 0;
    for (size_t k = 0; k < LANES; k++)
        all += sum[k];
    return all == 0;
}

bool convert_finite(const double *numbers, size_t rows, size_t columns, size_t step)
{
    if (step == columns)
        return all_finite(numbers, rows * columns);
    bool all = true;
    for (size_t i = 0; i < rows; i++)
        all = all_finite(numbers + i * step, columns) && all;
    return all;
}
