/* The parts of an HDF5 file that bodies need. Declarations only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HDF5_NUMBERS_MAX = 16, HDF5_TEXT_MAX = 256 };

/* A few numbers, or a text. */
struct hdf5_attribute {
    uint32_t count; /* number of numbers; 0: missing, a text or another kind */
    double number[HDF5_NUMBERS_MAX];
    uint64_t whole[HDF5_NUMBERS_MAX]; /* the numbers if they are non-negative integers */
    char text[HDF5_TEXT_MAX];         /* "": missing or not a text */
};

enum hdf5_class { HDF5_FLOAT, HDF5_SIGNED, HDF5_UNSIGNED };

/* A dataset of numbers in rows. */
struct hdf5_table {
    bool found;
    uint64_t rows;
    uint32_t columns; /* 1 if the table has one dimension or none */
    enum hdf5_class class;
    uint32_t bytes; /* per number: 1, 2, 4 or 8 */
    bool big_endian;
    uint64_t place;      /* file offset of contiguous numbers; 0: not contiguous */
    uint64_t stored;     /* size in the file */
    bool packed;         /* by a filter */
    uint64_t chunk_rows; /* 0: not chunked */
};

/* Conversion of a file's numbers to columns of bodies. Pure; thread-safe. */

/* Whether the table's numbers are native doubles. */
bool convert_is_double(const struct hdf5_table *table);
bool convert_is_whole(const struct hdf5_table *table);

/* Converts `rows` rows of the table's columns, starting at `from`; row i goes to to[i * step]. */
void convert_numbers(const struct hdf5_table *table, const void *from, size_t rows, double *to,
                     size_t step);

/* Converts integers; negative ones keep their bits. */
void convert_whole(const struct hdf5_table *table, const void *from, size_t count, uint64_t *to);

/* Converts numbers to ids. Returns the index of the first number that is not an id; `count` if all
 * are ids. Ids are whole numbers from 0 on; ids in floats are below 2^53 (float32: 2^24), because
 * larger ones may have been rounded. `from` may be `to`. */
size_t convert_ids(const struct hdf5_table *table, const void *from, size_t count, uint64_t *to);

/* Whether any of these numbers is an integer that no double is. */
bool convert_rounds(const struct hdf5_table *table, const void *from, size_t count);

/* Whether all numbers are finite. */
bool convert_finite(const double *numbers, size_t rows, size_t columns, size_t step);
