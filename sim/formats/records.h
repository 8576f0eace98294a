/* Records of bodies in binary files: blocks of rows of equal size, in which a table of fields says
 * where a number is, its type and width, and which column of the bodies it fills. The same table
 * writes them. A format finds its blocks; everything else is done here. */
#pragma once

#include "sim/formats/bytes.h"
#include "sim/formats/columns.h"

/* ---- numbers; thread-safe ---- */

struct number_type {
    char kind;      /* 'f', 'i', 'u', or 0 for types other than numbers of 1, 2, 4 or 8 bytes */
    unsigned bytes; /* per number, or per element of another type */
    bool big_endian;
};

double number_at(const struct number_type *type, const unsigned char *at);

/* Converts `count` numbers, `stride` bytes apart, into every `step`th of `to`. */
void numbers_take(const struct number_type *type, const unsigned char *at, size_t stride,
                  size_t count, double *to, size_t step);

/* Whether it is an integer that no double is. */
bool number_rounds(const struct number_type *type, const unsigned char *at);

/* ---- records ---- */

enum {
    COLUMN_FURTHER = COLUMNS, /* the first additional column of the bodies */
    RECORDS_CHUNK = 4096,     /* records that are read at once, of at most 1024 bytes each */
};

struct record_field {
    int column;      /* the first that it fills: columns.h, or COLUMN_FURTHER + c */
    unsigned across; /* numbers, one after the other, for as many columns: 3 for a vector */
    struct number_type type;
    size_t offset; /* in the record */
    bool rounded;  /* set by reading: a number of an additional column has lost digits */
};

struct record_block {
    const char *path, *what;  /* for messages: "its particles" */
    struct body_input *input; /* the source, or `zip` */
    struct zip *zip;
    struct record_field *fields;
    size_t field_count;
    uint64_t count; /* of records */
    size_t size;    /* bytes of a record */
    /* Sees the records first .. first + count - 1 before their fields are taken; may be NULL. */
    enum status (*see)(void *user, const unsigned char *records, size_t first, size_t count);
    void *user;
};

/* Reads a block into the bodies first .. first + block->count - 1 of the rows, whose memory grows
 * as they are read. An id or a galaxy index is stored if the rows have them; ids are dropped with a
 * message when a number is not an id. STATUS_USAGE for a number that is not a galaxy's index, or a
 * file that ends too early. */
enum status records_read(const struct record_block *block, struct body_rows *rows, size_t first);

/* Fills a record with the numbers of body i, of component c; other bytes stay. */
void record_make(const struct record_field *fields, size_t count, const struct bodies *bodies,
                 size_t i, size_t c, unsigned char *record);

/* Writes a record of `size` bytes for each body, in the order of components. */
void records_write(struct body_output *output, const struct record_field *fields, size_t count,
                   size_t size, const struct bodies *bodies);

/* Whether all bodies have ids, and these are below `end`. */
bool records_keep_ids(const struct bodies *bodies, uint64_t end);

/* ---- records whose fields a header names ---- */

enum { RECORD_FIELDS = 256 };

struct record_layout {
    struct record_field field[RECORD_FIELDS];
    size_t count;
    bool has[COLUMNS];
    struct body_columns noted; /* names of the additional columns; freed by record_layout_read */
};

/* Takes a field by its name: a column or a vector of them (columns.h), or an additional column;
 * other fields are added to out->unread. STATUS_USAGE if two fields are the same column. */
enum status record_layout_add(struct record_layout *layout, struct snapshot *out, const char *path,
                              const char *name, const struct record_field *field);

/* Reads all bodies of a file that consists of one block (`block`, without its fields), or, if
 * `by_columns`, of one block for each number of a record. Needs a mass, a position and a velocity.
 * Memory for all rows is allocated at once only if the file is known to be long enough. */
enum status record_layout_read(struct record_layout *layout, const struct record_block *block,
                               bool by_columns, struct snapshot *out);
