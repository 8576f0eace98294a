/* Makes HDF5 files like those of other programs, with libhdf5 itself. For tests only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The last three are of fewer bits: half precision, 13 of the mantissa's, 36 of an integer's. */
enum maker_type {
    MAKER_F32,
    MAKER_F64,
    MAKER_I32,
    MAKER_U32,
    MAKER_I64,
    MAKER_U64,
    MAKER_F16,
    MAKER_F22,
    MAKER_U36
};

/* How the numbers of a table are stored in the file. */
struct maker_layout {
    enum maker_type type;
    bool big_endian;
    size_t chunk; /* rows of a chunk; 0: in one piece */
    bool gzip, shuffle, fletcher, scale_offset, nbit;
    bool compact;
};

struct maker;

struct maker *maker_open(const char *path);
void maker_close(struct maker **maker);

void maker_group(struct maker *maker, const char *path);
void maker_numbers(struct maker *maker, const char *object, const char *name, const double *values,
                   size_t count);
void maker_number(struct maker *maker, const char *object, const char *name, double value);
/* `bytes` 4 or 8: of a number; count 0: no array. */
void maker_wholes(struct maker *maker, const char *object, const char *name, const uint64_t *values,
                  size_t count, size_t bytes);
void maker_text(struct maker *maker, const char *object, const char *name, const char *text,
                bool of_any_length);

/* columns 0: one dimension. */
void maker_doubles(struct maker *maker, const char *path, size_t rows, size_t columns,
                   const double *values, const struct maker_layout *layout);
void maker_ids(struct maker *maker, const char *path, size_t rows, const uint64_t *values,
               const struct maker_layout *layout);

/* Objects that are not supported. */
void maker_soft_link(struct maker *maker, const char *path, const char *to);
void maker_external_link(struct maker *maker, const char *path, const char *file, const char *to);
void maker_external_table(struct maker *maker, const char *path, size_t rows, const char *file);
void maker_virtual_table(struct maker *maker, const char *path, size_t rows, const char *file,
                         const char *from);
void maker_text_table(struct maker *maker, const char *path, size_t rows);
/* Rows of three columns without any numbers in the file, in chunks or for once. */
void maker_empty_table(struct maker *maker, const char *path, uint64_t rows, size_t chunk,
                       bool gzip);
