#include "sim/bodies/share.h"

#include <stdlib.h>

bool share_is_skewed(void)
{
    static int skewed; /* 0: not known yet; the same from every thread */
    if (skewed == 0)
        skewed = getenv("GRAVREEL_RANKS_SKEW") ? 1 : -1;
    return skewed > 0;
}

void share_out(size_t count, size_t n, const double *weight, size_t *share)
{
    double largest = 0, total = 0;
    size_t given = 0;
    for (size_t k = 0; k < n; k++)
        largest = weight[k] > largest ? weight[k] : largest;
    for (size_t k = 0; k < n; k++)
        total += weight[k] / largest; /* the plain sum could overflow */
    for (size_t k = 0; k < n; k++) {
        double exact = (double)count * (weight[k] / largest / total);
        share[k] = exact < (double)(count - given) ? (size_t)exact : count - given;
        given += share[k];
    }
    while (given < count) {
        size_t best = n;
        double most = 0;
        for (size_t k = 0; k < n; k++) {
            double left = (double)count * (weight[k] / largest / total) - (double)share[k];
            if (weight[k] > 0 && (best == n || left > most))
                best = k, most = left;
        }
        share[best]++;
        given++;
    }
}
