/* Makes bodies that ranks share (bodies_whole.h) out of those that one rank has. */
#pragma once

#include "sim/bodies/bodies.h"

/* Numbers of all bodies, in the order of the bodies' numbers, on their way through rank 0 where
 * ranks share the bodies (bodies_whole.h): in pieces, so that no rank ever has all of them.
 * Collective for shared bodies. For bodies that are not shared there is one piece. */

/* Runs on rank 0, for one piece after the other. */
typedef enum status (*pieces_take)(void *user, const double *rows, size_t count);
typedef enum status (*pieces_give)(void *user, double *rows, size_t count);

/* Passes rows of `width` numbers to `take`. rows: of this rank's bodies. */
enum status pieces_pass(const struct bodies *bodies, const double *rows, size_t width,
                        pieces_take take, void *user);
/* The reverse: gets rows from `give`. */
enum status pieces_deal(const struct bodies *bodies, double *rows, size_t width, pieces_give give,
                        void *user);

/* Collective: gives each rank its share of *all, which rank 0 has; NULL elsewhere. DIVIDE_EVENLY: a
 * rank gets its part of each component (edit.h). DIVIDE_FIRST: rank 0 keeps *all, which then is
 * NULL, and the others get its components without bodies. */
enum status bodies_spread(struct bodies **all, enum division division, struct bodies **out);
