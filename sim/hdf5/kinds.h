/* What an HDF5 file holds, as far as bodies need it. Declarations only. */
#ifndef SIM_HDF5_KINDS_H
#define SIM_HDF5_KINDS_H

#include <stdbool.h>
#include <stdint.h>

enum { HDF5_NUMBERS_MAX = 16, HDF5_TEXT_MAX = 256 };

/* A few numbers, or a text. */
struct hdf5_attribute {
    uint32_t count; /* of numbers; 0: it is missing, a text or of another kind */
    double number[HDF5_NUMBERS_MAX];
    uint64_t whole[HDF5_NUMBERS_MAX]; /* the same where they are whole and not negative */
    char text[HDF5_TEXT_MAX];         /* "": it is missing or no text */
};

enum hdf5_class { HDF5_FLOAT, HDF5_SIGNED, HDF5_UNSIGNED };

/* A dataset of numbers in rows. */
struct hdf5_table {
    bool found;
    uint64_t rows;
    uint32_t columns; /* 1 also where it has one dimension */
    enum hdf5_class class;
    uint32_t bytes; /* of a number: 1, 2, 4 or 8 */
    bool big_endian;
    uint64_t place;      /* where its numbers lie one after the other in the file; 0: nowhere */
    uint64_t stored;     /* bytes that they take in the file */
    bool packed;         /* by a filter */
    uint64_t chunk_rows; /* 0: it has no chunks */
};

#endif
