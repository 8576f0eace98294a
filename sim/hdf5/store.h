/* Tables of doubles and attributes in an HDF5 file: a file is made in memory and written by the
 * caller, made on the disk, or read from there. Names are paths, "group/table". A store is used
 * by one thread; there is one at a time, and others wait in store_create and store_open, because
 * HDF5 keeps global state. Nothing is printed. False and NULL: it could not be done. */
#ifndef SIM_HDF5_STORE_H
#define SIM_HDF5_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STORE_TEXT_MAX = 64 };

struct store;

/* An empty store, with `front` bytes (512 or a larger power of 2) before HDF5's own, for the
 * caller to fill. `bytes`: about how large it will become. */
struct store *store_create(size_t front, size_t bytes);
/* A file with or without a front. It must be known to be undamaged: HDF5 trusts what it reads. */
struct store *store_open(const char *path);
/* An empty store on the disk, in the file that the descriptor is open on, which stays open. */
struct store *store_create_on(int descriptor);
/* Writes what is left of a store on the disk; nothing can be put into it after that. */
bool store_finish(struct store *store);
void store_close(struct store **store); /* accepts a pointer to NULL */

/* The whole file as it belongs on the disk, a copy that is valid until the next call. The same
 * calls give the same bytes. */
bool store_image(struct store *store, char **image, size_t *size);

bool store_put_group(struct store *store, const char *group);
bool store_put_text(struct store *store, const char *group, const char *name, const char *text);
bool store_put_count(struct store *store, const char *group, const char *name, uint64_t value);
bool store_put_number(struct store *store, const char *group, const char *name, double value);
/* columns 0: a row is one number. */
bool store_put_table(struct store *store, const char *path, size_t rows, size_t columns,
                     const double *values);

bool store_put_int(struct store *store, const char *group, const char *name, int32_t value);
bool store_put_numbers(struct store *store, const char *group, const char *name,
                       const double *values, size_t count);
bool store_put_counts(struct store *store, const char *group, const char *name,
                      const uint32_t *values, size_t count);
/* A table to be filled range by range of its rows, with values of the same kind. */
enum store_kind { STORE_DOUBLES, STORE_FLOATS, STORE_WHOLE /* uint64_t */ };
bool store_make_table(struct store *store, const char *path, size_t rows, size_t columns,
                      enum store_kind kind);
bool store_fill_table(struct store *store, const char *path, size_t first, size_t rows,
                      const void *values);

bool store_get_text(struct store *store, const char *group, const char *name,
                    char out[STORE_TEXT_MAX]);
bool store_get_count(struct store *store, const char *group, const char *name, uint64_t *out);
bool store_get_number(struct store *store, const char *group, const char *name, double *out);
bool store_table_size(struct store *store, const char *path, size_t *rows, size_t *columns);
/* A table of exactly this size. */
bool store_get_table(struct store *store, const char *path, size_t rows, size_t columns,
                     double *out);

/* Held while there is a store; also by whoever must not be inside libhdf5 at the same time. */
void store_lock(void);
void store_unlock(void);

#endif
