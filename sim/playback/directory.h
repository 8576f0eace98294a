/* Finds a body's place by its id: a hash table. Used by one thread at a time; finding does not
 * change it. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { IDS_MOST = 1000000000 };

struct ids {
    size_t count, room; /* of id */
    uint64_t *id;       /* [count], by place */
    size_t mask;        /* of the table: a power of 2, minus 1 */
    uint32_t *place;    /* [mask + 1]: place + 1; 0: free */
};

/* Room for `expected` ids. STATUS_RUNTIME when they do not fit in memory. */
enum status ids_open(struct ids *ids, size_t expected);
void ids_close(struct ids *ids); /* accepts all zero */

/* The place of an id, or SIZE_MAX. Tries `guess` first, because files tend to keep their order. */
size_t ids_find(const struct ids *ids, uint64_t id, size_t guess);

/* Adds a new id at place `count`. STATUS_RUNTIME. */
enum status ids_add(struct ids *ids, uint64_t id);

/* Finds by a body's id which rank has the body, and where. The entries are divided among the ranks
 * by a hash of the id, so that no rank keeps all of them.
 *
 * Every function but the last is collective. */

struct directory;

/* Where a body is; rank == DIRECTORY_NOWHERE: no rank has it. */
enum { DIRECTORY_NOWHERE = 0xffff };
struct whereabouts {
    uint32_t rank, place;
};

/* An id that two bodies have, if `found`; there may be more such ids. */
struct directory_twice {
    uint64_t found, id;
};

/* Opens a directory of the bodies of all ranks. id: of this rank's, whose places count from 0. */
enum status directory_open(struct directory **out, const uint64_t *id, size_t count,
                           struct directory_twice *twice);
/* Adds bodies of this rank at the places from `first` on. */
enum status directory_add(struct directory *directory, const uint64_t *id, size_t count,
                          size_t first, struct directory_twice *twice);
enum status directory_find(const struct directory *directory, const uint64_t *id, size_t count,
                           struct whereabouts *out);

/* Sends item i, of `bytes` bytes, to the rank that to[i] names, or nowhere. *in: the *got items for
 * this rank, in the order of ranks and of each rank's items; the caller frees them. */
enum status directory_send(const void *items, size_t bytes, const struct whereabouts *to,
                           size_t count, void **in, size_t *got);

void directory_close(struct directory **directory); /* accepts a pointer to NULL */
