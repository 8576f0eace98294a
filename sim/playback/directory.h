/* Finds by its id which rank has a body, and where. Each rank knows this of the ids that fall to it
 * by a hash, so that none knows all.
 *
 * Every function but the last is collective: within a task (base/ranks/tasks.h). */
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

/* An id that two bodies have, if `found`; more of them may then be missing. */
struct directory_twice {
    uint64_t found, id;
};

/* For this rank's bodies, numbered by their places. */
enum status directory_open(struct directory **out, const uint64_t *id, size_t count,
                           struct directory_twice *twice);
/* Adds bodies of this rank at the places from `first` on. */
enum status directory_add(struct directory *directory, const uint64_t *id, size_t count,
                          size_t first, struct directory_twice *twice);
enum status directory_find(const struct directory *directory, const uint64_t *id, size_t count,
                           struct whereabouts *out);

/* Sends each item of `bytes` to the rank that to[i] names, or nowhere. *in: the `*got` items for
 * this rank in the order of ranks and of their items, which the caller frees. */
enum status directory_send(const void *items, size_t bytes, const struct whereabouts *to,
                           size_t count, void **in, size_t *got);

void directory_close(struct directory **directory); /* accepts a pointer to NULL */
