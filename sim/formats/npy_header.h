/* The header of an array in NumPy's format: {'descr': '<f8', 'fortran_order': False, 'shape': (3,
 * 7), } in one line, a Python dictionary (numpy.lib.format, versions 1.0 and 2.0). The type of an
 * array of records is a list, [('mass', '<f8'), ('pos', '<f4', (3,))]. Thread-safe. */
#ifndef SIM_FORMATS_NPY_HEADER_H
#define SIM_FORMATS_NPY_HEADER_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NPY_MAGIC = 6, NPY_HEADER = 128, NPY_TYPE = 12, NPY_FIELDS = 64, NPY_NAME = 48 };
extern const unsigned char npy_magic[NPY_MAGIC];

struct npy_type {
    char kind;      /* 'f', 'i', 'u', or 0 for what has no numbers of 1, 2, 4 or 8 bytes */
    unsigned bytes; /* of a number, or of what it is else */
    bool big_endian;
};

/* A field of an array of records. */
struct npy_field {
    char name[NPY_NAME]; /* cut where it is longer; "" is padding */
    struct npy_type type;
    unsigned across; /* numbers of it in a record */
    size_t offset;
};

struct npy_header {
    char text[NPY_TYPE + 1]; /* of the type as it stands there, "<f8", or "records" */
    struct npy_type type;    /* kind 0: records, or no numbers */
    bool by_columns;
    unsigned fields; /* of records; 0: there are none */
    struct npy_field field[NPY_FIELDS];
    unsigned dimensions; /* 0: a single number; at most 2 */
    uint64_t shape[2];   /* 1 where there is no such dimension */
};

/* Takes so many bytes or fails with a sentence. */
typedef enum status (*npy_take)(void *from, void *to, size_t size);

/* STATUS_USAGE, with the name of the file or member, for what is no such header or an array of more
 * than two dimensions. What type and shape are allowed is the caller's. */
enum status npy_header_read(npy_take take, void *from, const char *name, struct npy_header *out);

/* Fills NPY_HEADER bytes, as NumPy has it, for numbers that lie lowest byte first. */
void npy_header_make(unsigned char out[NPY_HEADER], char kind, unsigned bytes, unsigned dimensions,
                     const uint64_t shape[2]);

/* So many numbers from the beginning of `numbers`; number i goes to to[i * step]. */
void npy_numbers(const struct npy_type *type, const unsigned char *numbers, size_t count,
                 double *to, size_t step);

/* The i-th number of an array. */
double npy_number(const struct npy_type *type, const unsigned char *numbers, size_t i);
/* The same of whole ones; negative ones as their bits are. */
uint64_t npy_whole(const struct npy_type *type, const unsigned char *numbers, size_t i);

#endif
