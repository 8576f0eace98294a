/* Finds by a body's id which rank has the body, and where. The entries are divided among the ranks
 * by a hash of the id, so that no rank keeps all of them.
 *
 * Every function but the last is collective. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

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
