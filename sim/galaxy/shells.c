#include "sim/galaxy/shells.h"

#include "base/functions/fn.h"

#include <math.h>
#include <stddef.h>

void shells_init(struct shells *shells, double first, double last)
{
    shells->step = fn_log(last / first) / (SHELLS - 1);
    for (int i = 0; i < SHELLS; i++) {
        shells->radius[i] = first * fn_exp(shells->step * i);
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

/* The force at r of a shell with mass 1 and radius s, written without cancellation. */
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

/* Coarse radii are APART shells apart; the last ones may lie outside. */
enum { APART = 4, COARSE = (SHELLS - 1) / APART + 2 };

/* Lagrange's cubic through four of `values`, in units of their spacing. */
static double cubic(const double values[COARSE], double at)
{
    const int i = at < 1 ? 0 : at < COARSE - 3 ? (int)at - 1 : COARSE - 4;
    const double t = at - i, a = t - 1, b = t - 2, c = t - 3, *v = values + i;
    return -a * b * c / 6 * v[0] + t * b * c / 2 * v[1] - t * a * c / 2 * v[2] +
           t * a * b / 6 * v[3];
}

void shells_pull(const struct shells *shells, double softening, double pull[SHELLS])
{
    double coarse[COARSE], enclosed[SHELLS];
    shells_enclosed(shells, enclosed);
    if (!(enclosed[SHELLS - 1] > 0))
        return;
    for (int i = 0; i < SHELLS && softening == 0; i++)
        pull[i] += enclosed[i];
    if (softening == 0)
        return;
    for (int i = 0; i < COARSE; i++) {
        const double r = shells->radius[0] * fn_exp(shells->step * APART * i);
        double sum = 0;
        for (int j = 0; j < SHELLS; j++)
            if (shells->mass[j] > 0)
                sum += shells->mass[j] * pull_of(r, shells->radius[j], softening);
        coarse[i] = fn_log(sum);
    }
    for (int i = 0; i < SHELLS; i++)
        pull[i] += fn_exp(cubic(coarse, (double)i / APART));
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

double shells_place(const struct shells *shells, double r)
{
    return r > shells->radius[0] ? fn_log(r / shells->radius[0]) / shells->step : 0;
}

double shells_read(const double values[SHELLS], double at)
{
    if (!(at < SHELLS - 1))
        return values[SHELLS - 1];
    const size_t i = (size_t)at;
    const double part = at - (double)i;
    return (1 - part) * values[i] + part * values[i + 1];
}

double shells_at(const struct shells *shells, const double values[SHELLS], double r)
{
    return shells_read(values, shells_place(shells, r));
}
