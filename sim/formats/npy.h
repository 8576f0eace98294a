/* The header of an array in NumPy's format: {'descr': '<f8', 'fortran_order': False, 'shape': (3,
 * 7), } in one line, a Python dictionary (numpy.lib.format, versions 1.0 and 2.0). The type of a
 * record array is a list, [('mass', '<f8'), ('pos', '<f4', (3,))]. Thread-safe. */
#pragma once

#include "sim/formats/records.h"

enum { NPY_MAGIC = 6, NPY_HEADER = 128, NPY_TYPE = 12, NPY_FIELDS = 64, NPY_NAME = 48 };
extern const unsigned char npy_magic[NPY_MAGIC];

/* A field of a record array. */
struct npy_field {
    char name[NPY_NAME]; /* truncated if longer; "" is padding */
    struct number_type type;
    unsigned across; /* numbers per record */
    size_t offset;
};

struct npy_header {
    char text[NPY_TYPE + 1]; /* the type as written, "<f8", or "records" */
    struct number_type type; /* kind 0: records, or not numeric */
    bool by_columns;
    unsigned fields; /* number of fields; 0: not a record array */
    struct npy_field field[NPY_FIELDS];
    unsigned dimensions; /* at most 2; 0: a single number */
    uint64_t shape[2];   /* 1 for missing dimensions */
};

/* Reads exactly this many bytes, or fails. */
typedef enum status (*npy_take)(void *from, void *to, size_t size);

/* STATUS_USAGE, with the name of the file or member, if it is not such a header or has more than
 * two dimensions. The caller checks type and shape. */
enum status npy_header_read(npy_take take, void *from, const char *name, struct npy_header *out);

/* Fills NPY_HEADER bytes like NumPy does, for little-endian numbers. */
void npy_header_make(unsigned char out[NPY_HEADER], char kind, unsigned bytes, unsigned dimensions,
                     const uint64_t shape[2]);
