/* Tables of doubles, and attributes, in an HDF5 file. A file is created in memory and written by
 * the caller, created on disk, or read from disk. Names are paths, "group/table". A store is used
 * by one thread. Only one exists at a time, and store_create and store_open wait for it, because
 * HDF5 has global state. Nothing is printed. False and NULL mean failure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STORE_TEXT_MAX = 64 };

struct store;

/* An empty store, preceded by `front` bytes (512 or a larger power of 2) for the caller to fill.
 * `bytes`: approximate final size. */
struct store *store_create(size_t front, size_t bytes);
/* Opens a file with or without a front. It must be known to be undamaged, because HDF5 trusts what
 * it reads. */
struct store *store_open(const char *path);
/* An empty store on disk, in the file of this open descriptor, which stays open; `front` as above,
 * or 0. */
struct store *store_create_on(int descriptor, size_t front);
/* Writes the rest of a store on disk, which then cannot be changed. */
bool store_finish(struct store *store);
void store_close(struct store **store); /* accepts a pointer to NULL */

/* A copy of the whole file as it belongs on disk, valid until the next call. The same calls give
 * the same bytes. */
bool store_image(struct store *store, char **image, size_t *size);

bool store_put_group(struct store *store, const char *group);
bool store_put_text(struct store *store, const char *group, const char *name, const char *text);
bool store_put_count(struct store *store, const char *group, const char *name, uint64_t value);
bool store_put_number(struct store *store, const char *group, const char *name, double value);
/* columns 0: a row is one number. */
bool store_put_table(struct store *store, const char *path, size_t rows, size_t columns,
                     const double *values);

/* A table of bytes: a text of any length. */
bool store_put_bytes(struct store *store, const char *path, size_t size, const char *bytes);

bool store_put_int(struct store *store, const char *group, const char *name, int32_t value);
bool store_put_numbers(struct store *store, const char *group, const char *name,
                       const double *values, size_t count);
bool store_put_counts(struct store *store, const char *group, const char *name,
                      const uint32_t *values, size_t count);
/* A table that is filled range by range, with values of the same kind. */
enum store_kind { STORE_DOUBLES, STORE_FLOATS, STORE_WHOLE /* uint64_t */, STORE_BYTES };
bool store_make_table(struct store *store, const char *path, size_t rows, size_t columns,
                      enum store_kind kind);
bool store_fill_table(struct store *store, const char *path, size_t first, size_t rows,
                      const void *values);

/* A table of up to three dimensions whose numbers are in one piece of the file, *offset bytes from
 * its beginning, and are written there by the caller once the store is closed. */
enum { STORE_RANK_MAX = 3 };
bool store_make_space(struct store *store, const char *path, const uint64_t *sizes, int rank,
                      enum store_kind kind, uint64_t *offset);

bool store_get_text(struct store *store, const char *group, const char *name,
                    char out[STORE_TEXT_MAX]);
bool store_get_count(struct store *store, const char *group, const char *name, uint64_t *out);
bool store_get_number(struct store *store, const char *group, const char *name, double *out);
bool store_table_size(struct store *store, const char *path, size_t *rows, size_t *columns);
/* Reads a table that must have exactly this size. */
bool store_get_table(struct store *store, const char *path, size_t rows, size_t columns,
                     double *out);

/* Reads a table of bytes, with a 0 after them; free() frees it. NULL: there is no such table. */
char *store_get_bytes(struct store *store, const char *path, size_t *size);

/* Reads some of a table's rows. */
bool store_get_rows(struct store *store, const char *path, size_t columns, size_t first,
                    size_t rows, double *out);
