/* The Bessel functions J0 and J1. */
#include "base/functions/fn.h"

#include "base/functions/parts.h"
#include "base/functions/tables.h"

#include <stdbool.h>

/* From here on Hankel's expansion, whose least term is about exp(-2 x). */
static const double HANKEL_FROM = 26;

/* (x / 2)^order times the sum of (-x^2 / 4)^k / (k! (k + order)!). */
static struct dd power_series(double x, int order)
{
    const struct dd quarter = dd_times_power(dd_product(x, x), -0.25);
    struct dd term = {order ? x / 2 : 1, 0}, sum = term;
    for (int k = 1; fabs(term.hi) > 0x1p-80 * fabs(sum.hi) || fabs(quarter.hi) > k * (double)k;
         k++) {
        term = dd_divide(dd_multiply(term, quarter), (struct dd){(double)k * (k + order), 0});
        sum = dd_add(sum, term);
    }
    return sum;
}

/* sqrt(2 / (pi x)) (P cos(chi) - Q sin(chi)), chi = x - (order / 2 + 1 / 4) pi, where P + i Q is
 * the sum of (i / (8 x))^k (4 order^2 - 1) (4 order^2 - 9) ... (4 order^2 - (2 k - 1)^2) / k!, up
 * to the smallest term (Abramowitz and Stegun, 9.2). */
static struct dd hankel(double x, int order)
{
    struct dd even = {1, 0}, odd = {0, 0}, term = {x < 0x1p100 ? 1 : 0, 0}, s, c;
    double last = 2;
    for (int k = 1; fabs(term.hi) < last && fabs(term.hi) > 0x1p-80; k++) {
        last = fabs(term.hi);
        const double factor = 4 * order * order - (2 * k - 1.0) * (2 * k - 1);
        term = dd_divide(dd_times(term, factor), dd_product(8 * x, k));
        const struct dd with_sign = k & 2 ? dd_negative(term) : term;
        if (k & 1)
            odd = dd_add(odd, with_sign);
        else
            even = dd_add(even, with_sign);
    }
    fn_sincos_parts(x, &s, &c);
    /* sqrt(2) cos(chi) and sqrt(2) sin(chi) */
    const struct dd sum = dd_add(s, c), difference = dd_add(s, dd_negative(c));
    const struct dd along = order ? difference : sum,
                    across = order ? dd_negative(sum) : difference;
    const struct dd wave = dd_add(dd_multiply(even, along), dd_negative(dd_multiply(odd, across)));
    const bool large = x > 0x1p100;
    const struct dd root = dd_root(dd_times(TABLE_PI, large ? x * 0x1p-200 : x));
    return dd_times_power(dd_divide(wave, root), large ? 0x1p-100 : 1);
}

double fn_j0(double x)
{
    const double size = fabs(x);
    if (!(size < HUGE_VAL))
        return isnan(x) ? x : 0;
    if (size < 0x1p-28)
        return 1;
    const struct dd y = size < HANKEL_FROM ? power_series(size, 0) : hankel(size, 0);
    return y.hi + y.lo;
}

double fn_j1(double x)
{
    const double size = fabs(x);
    if (!(size < HUGE_VAL))
        return isnan(x) ? x : 0;
    if (size < 0x1p-28)
        return x / 2;
    const struct dd y = size < HANKEL_FROM ? power_series(size, 1) : hankel(size, 1);
    return copysign(1, x) * (y.hi + y.lo);
}
