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
