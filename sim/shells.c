#include "sim/shells.h"

#include <stdlib.h>

static int by_distance(const void *a, const void *b)
{
    double x = ((const struct shell *)a)->distance, y = ((const struct shell *)b)->distance;
    return (x > y) - (x < y);
}

double shells_radius(struct shell *shells, size_t count, double weight)
{
    double inside = 0;
    qsort(shells, count, sizeof *shells, by_distance);
    for (size_t k = 0; k < count; k++) {
        inside += shells[k].weight;
        if (inside >= weight)
            return shells[k].distance;
    }
    return count > 0 ? shells[count - 1].distance : 0;
}
