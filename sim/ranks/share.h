/* The bodies that a rank has: their state, in an order that the method of the force chooses. */
#pragma once

#include "base/status.h"
#include "kernels/exact_tree/stretch.h"

#include <stddef.h>
#include <stdint.h>

struct share {
    struct share_body *body; /* [room]; on a device: see struct method */
    size_t count, room;
};

/* Makes room for `count` bodies; those that are there stay. STATUS_RUNTIME: no memory. */
enum status share_room(struct share *share, size_t count);
void share_close(struct share *share); /* accepts all zero */

/* The same bodies. */
enum status share_copy(struct share *to, const struct share *from);

/* Of `total` bodies in equal parts of whole blocks, the first body of a rank; for rank ==
 * ranks_count() the total. */
size_t share_begin(size_t total, size_t block, int rank);

/* Collective: how many bytes go to every rank, and how many come from each (see ranks_exchange);
 * *all: these together. */
enum status share_announce(const size_t *out, size_t *in, size_t *all);
