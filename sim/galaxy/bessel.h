/* The Bessel functions J0 and J1 at many arguments, from tabulated values and Taylor series: J0,
 * and J1 with three derivatives. */
#pragma once

#include <stddef.h>

enum { BESSEL_PER_UNIT = 8 };

/* {0} is an empty table. */
struct bessel {
    size_t count;
    double (*j)[5]; /* at i / BESSEL_PER_UNIT */
};

/* Extends the table to arguments up to `most`. */
void bessel_reach(struct bessel *bessel, double most);
void bessel_close(struct bessel *bessel);

static inline const double *bessel_near(const struct bessel *bessel, double x, double *d)
{
    const size_t i = (size_t)(x * BESSEL_PER_UNIT + 0.5);
    *d = x - (double)i / BESSEL_PER_UNIT;
    return bessel->j[i];
}

static inline double bessel_0(const struct bessel *bessel, double x)
{
    double d;
    const double *j = bessel_near(bessel, x, &d);
    return j[0] - d * (j[1] + d / 2 * (j[2] + d / 3 * (j[3] + d / 4 * j[4])));
}

static inline double bessel_1(const struct bessel *bessel, double x)
{
    double d;
    const double *j = bessel_near(bessel, x, &d);
    return j[1] + d * (j[2] + d / 2 * (j[3] + d / 3 * j[4]));
}
