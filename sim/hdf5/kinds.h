/* The parts of an HDF5 file that bodies need. Declarations only. */
#pragma once

#include <stdbool.h>
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
    uint32_t columns; /* 1 if the table has one dimension */
    enum hdf5_class class;
    uint32_t bytes; /* per number: 1, 2, 4 or 8 */
    bool big_endian;
    uint64_t place;      /* file offset of contiguous numbers; 0: not contiguous */
    uint64_t stored;     /* size in the file */
    bool packed;         /* by a filter */
    uint64_t chunk_rows; /* 0: not chunked */
};
