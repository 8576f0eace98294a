/* The sphere about a point that holds a part of the bodies. Pure; thread-safe. */
#pragma once

#include <stddef.h>

struct shell {
    double distance, weight;
};

/* Sorts the shells by distance. Returns the distance within which the weights add up to `weight`:
 * that of the last shell where they never do, 0 without shells. */
double shells_radius(struct shell *shells, size_t count, double weight);
