#include "sim/galaxy/shells.h"

#include <math.h>
#include <stddef.h>

void shells_init(struct shells *shells, double first, double last)
{
    shells->step = log(last / first) / (SHELLS - 1);
    for (int i = 0; i < SHELLS; i++) {
        shells->radius[i] = first * exp(shells->step * i);
        shells->mass[i] = 0;
    }
}

void shells_enclosed(const struct shells *shells, double enclosed[SHELLS])
{
    double below = 0;
    for (int i = 0; i < SHELLS; i++) {
        enclosed[i] = below + shells->mass[i] / 2;
        below += shells->mass[i];
    }
}

/* Of a shell of mass 1 and radius s at r, written so that nothing cancels. */
static double pull_of(double r, double s, double eps)
{
    const double p = r * r, q = s * s, e = eps * eps, far2 = (r + s) * (r + s) + e;
    const double near2 = (r - s) * (r - s) + e, both = sqrt(far2 * near2);
    if (!(both > 0))
        return 0.5;
    const double sum = sqrt(far2 + near2 + 2 * both);
    const double part = q < p + e ? p - q + e + both : 4 * q * e / (both + q - p - e);
    return 4 * p * r * part / (both * sum * sum * sum);
}

void shells_pull(const struct shells *shells, double softening, double pull[SHELLS])
{
    for (int j = 0; j < SHELLS; j++)
        if (shells->mass[j] > 0)
            for (int i = 0; i < SHELLS; i++)
                pull[i] +=
                    shells->mass[j] * pull_of(shells->radius[i], shells->radius[j], softening);
}

void shells_depth(const struct shells *shells, const double pull[SHELLS], double depth[SHELLS])
{
    double inner = pull[0] / shells->radius[0];
    depth[0] = inner / 2;
    for (int i = 1; i < SHELLS; i++) {
        const double outer = pull[i] / shells->radius[i];
        depth[i] = depth[i - 1] + 0.5 * shells->step * (inner + outer);
        inner = outer;
    }
}

double shells_at(const struct shells *shells, const double values[SHELLS], double r)
{
    if (!(r > shells->radius[0]))
        return values[0];
    const double at = log(r / shells->radius[0]) / shells->step;
    if (!(at < SHELLS - 1))
        return values[SHELLS - 1];
    const size_t i = (size_t)at;
    const double part = at - (double)i;
    return (1 - part) * values[i] + part * values[i + 1];
}
