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

/* Makes room for `count` bodies and keeps the bodies that are there. STATUS_RUNTIME: no memory. */
enum status share_room(struct share *share, size_t count);
void share_close(struct share *share); /* accepts all zero */

/* Copies the bodies. */
enum status share_copy(struct share *to, const struct share *from);

/* Returns the first body of a rank when `total` bodies are divided equally in whole blocks; the
 * total for rank == ranks_count(). */
size_t share_begin(size_t total, size_t block, int rank);

/* Collective: tells every rank how many bytes it gets, and finds how many come from each (see
 * ranks_exchange). *all: the sum of these. */
enum status share_announce(const size_t *out, size_t *in, size_t *all);
