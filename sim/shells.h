/* The sphere about a point that holds a part of the bodies. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct shell {
    double distance, weight;
};

/* Sorts the shells by distance. Returns the distance within which the weights add up to `weight`:
 * that of the last shell where they never do, 0 without shells. Pure; thread-safe. */
double shells_radius(struct shell *shells, size_t count, double weight);

/* Collective if `shared`: the same for the shells of all ranks, to all. They are sent in pieces, in
 * the order of distances. */
enum status shells_whole_radius(struct shell *shells, size_t count, double weight, bool shared,
                                double *radius);
