/* A number of the whole film, the same on every rank, where a rank's own number would be of its
 * share of the bodies. It has a type of its own because C then refuses to compare a rank's number
 * in its place: what decides for all ranks (whether to make bodies for the camera, how large
 * sprites are, which force) takes a struct whole, and a rank that decided by its own number would
 * part from the others. bodies_whole (sim/bodies/bodies_whole.h) makes them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct whole {
    uint64_t of_all;
};

/* How bodies are divided among ranks: every rank has all of those that it has made; each has a
 * share; rank 0 has all and the others none, for what needs all bodies in one place. */
enum division { DIVIDE_NOT, DIVIDE_EVENLY, DIVIDE_FIRST };

/* The number is one that all ranks have alike. */
static inline struct whole whole_of(uint64_t number)
{
    return (struct whole){number};
}

static inline bool whole_below(struct whole number, uint64_t threshold)
{
    return number.of_all < threshold;
}

/* For arithmetic and messages; also the lesser of the two numbers, where there is a limit. */
static inline size_t whole_size(struct whole number)
{
    return (size_t)number.of_all;
}

static inline size_t whole_most(struct whole number, size_t most)
{
    return whole_below(number, most) ? whole_size(number) : most;
}
