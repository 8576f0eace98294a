#include "sim/shells.h"

#include "base/sort.h"

_Static_assert(sizeof(struct shell) == sizeof(double[2]), "sort_rows sorts shells");

double shells_radius(struct shell *shells, size_t count, double weight)
{
    double inside = 0;
    sort_rows((double(*)[2])shells, count);
    for (size_t k = 0; k < count; k++) {
        inside += shells[k].weight;
        if (inside >= weight)
            return shells[k].distance;
    }
    return count > 0 ? shells[count - 1].distance : 0;
}
