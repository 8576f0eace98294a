/* Where bodies are kept by number, while a method moves them from rank to rank: every rank is the
 * home of its share of the bodies (struct bodies, `shared`). */
#pragma once

#include "sim/bodies/bodies.h"
#include "sim/ranks/share.h"

struct home {
    size_t blocks;   /* components * ranks; block k is on rank k % ranks */
    uint64_t *first; /* [blocks + 1]: number of a block's first body among all bodies; the last: all
                      * bodies */
    size_t *row;     /* [blocks]: row of that body on the block's rank */
};

/* Collective. bodies: the share of this rank. */
enum status home_open(struct home *home, const struct bodies *bodies);
void home_close(struct home *home); /* accepts all zero */

static inline size_t home_total(const struct home *home)
{
    return (size_t)home->first[home->blocks];
}

/* The numbers of a body to bring home, in this order. */
enum home_parts {
    HOME_POSITION = 1,     /* 3 */
    HOME_VELOCITY = 2,     /* 3 */
    HOME_ACCELERATION = 4, /* 3 */
    HOME_VALUE = 8,        /* 1 */
};

/* Stores the numbers of a body of this home. */
typedef void (*home_put)(void *user, size_t row, const double *numbers);

/* Collective: brings numbers of all bodies home, in pieces. value[share->count]: for HOME_VALUE. */
enum status home_bring(const struct home *home, const struct share *share, unsigned parts,
                       const double *value, home_put put, void *user);

/* Gets the state of a body of this home, except its number. */
typedef void (*home_get)(const void *user, size_t row, struct share_body *out);

/* Collective: deals the state of all bodies, in pieces. Each rank gets an equal share in whole
 * blocks of `block` bodies (share_begin), in the order of `order` (method.h) or, if NULL, by
 * number. */
enum status home_deal(const struct home *home, home_get get, const void *user,
                      const uint32_t *order, size_t block, struct share *share);

/* Collective: gives all ranks the sum of a[i] * b[i] over all bodies, added in the order of their
 * numbers. a, b: of the bodies of this home. */
enum status home_sum(const struct home *home, const double *a, const double *b, double *sum);
