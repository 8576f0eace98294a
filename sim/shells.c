#include "sim/shells.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

_Static_assert(sizeof(struct shell) == sizeof(double[2]), "sort_rows sorts shells");

/* The first shell up to which the weights, after those of *inside, reach `weight`; count: none. */
static size_t reach(const struct shell *shells, size_t count, double weight, double *inside)
{
    for (size_t k = 0; k < count; k++) {
        *inside += shells[k].weight;
        if (*inside >= weight)
            return k;
    }
    return count;
}

double shells_radius(struct shell *shells, size_t count, double weight)
{
    double inside = 0;
    sort_rows((double(*)[2])shells, count);
    const size_t k = reach(shells, count, weight, &inside);
    return count == 0 ? 0 : shells[k < count ? k : count - 1].distance;
}

/* All ranks send this many shells at a time. */
enum { PIECE = 1 << 18 };

/* Collective: the nearest shells of all ranks in their order, those up to the distance up to which
 * each rank offers all that it has; *used: of this rank's. */
static enum status next_shells(const struct shell *shells, size_t count, struct shell *all,
                               size_t *used, size_t *here)
{
    const size_t ranks = (size_t)ranks_count(), most = PIECE / ranks + 1;
    const size_t offered = count < most ? count : most;
    double limit = offered < count ? -shells[offered - 1].distance : -INFINITY;
    size_t *bytes = memory_new(ranks, sizeof *bytes);
    enum status status = ranks_largest(&limit, 1);
    *used = *here = 0;
    while (*used < offered && shells[*used].distance <= -limit)
        ++*used;
    const size_t own = *used * sizeof *shells;
    if (status == STATUS_OK)
        status = ranks_gather_each(&own, bytes, sizeof own);
    if (status == STATUS_OK)
        status = ranks_gather(shells, all, bytes);
    for (size_t r = 0; r < ranks; r++)
        *here += bytes[r] / sizeof *shells;
    sort_rows((double(*)[2])all, *here);
    free(bytes);
    return status;
}

enum status shells_whole_radius(struct shell *shells, size_t count, double weight, bool shared,
                                double *radius)
{
    if (!shared) {
        *radius = shells_radius(shells, count, weight);
        return STATUS_OK;
    }
    const size_t room = PIECE + (size_t)ranks_count();
    struct shell *all = malloc(room * sizeof *all);
    enum status status = ranks_agree(
        all ? STATUS_OK : status_fail(STATUS_RUNTIME, "no memory left for %zu shells", room));
    double inside = 0;
    size_t used, here = 1, found = 1;
    *radius = 0;
    sort_rows((double(*)[2])shells, count);
    for (size_t k = 0; status == STATUS_OK && found == here && here > 0; k += used) {
        status = next_shells(shells + k, count - k, all, &used, &here);
        if (status != STATUS_OK || here == 0)
            break;
        found = reach(all, here, weight, &inside);
        *radius = all[found < here ? found : here - 1].distance;
    }
    free(all);
    return status;
}
