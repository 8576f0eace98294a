#include "sim/galaxy/bessel.h"

#include "base/functions/fn.h"
#include "base/memory.h"

#include <stdlib.h>

void bessel_reach(struct bessel *bessel, double most)
{
    const size_t count = (size_t)(most * BESSEL_PER_UNIT) + 3;
    if (count <= bessel->count)
        return;
    bessel->j = memory_grow(bessel->j, count, sizeof *bessel->j);
    for (size_t i = bessel->count; i < count; i++) {
        const double x = (double)i / BESSEL_PER_UNIT, b = fn_j1(x);
        double *j = bessel->j[i];
        j[0] = fn_j0(x);
        j[1] = b;
        j[2] = i ? j[0] - b / x : 0.5;
        j[3] = i ? -b - j[2] / x + b / (x * x) : 0;
        j[4] = i ? -j[2] - j[3] / x + 2 * j[2] / (x * x) - 2 * b / (x * x * x) : -0.375;
    }
    bessel->count = count;
}

void bessel_close(struct bessel *bessel)
{
    free(bessel->j);
    *bessel = (struct bessel){0};
}
