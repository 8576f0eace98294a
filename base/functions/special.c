/* The Bessel functions J0 and J1, and the error function. */
#include "base/functions/fn.h"
#include "base/functions/double_double.h"
#include "base/functions/tables.h"

#include <stdbool.h>

/* ---- bessel ---- */

/* Hankel's expansion is used from here on; its least term is about exp(-2 x). */
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

/* ---- error ---- */

/* The error function and its complement. */

/* The continued fraction is used from here on. */
static const double FRACTION_FROM = 2;

/* exp(-x^2) 2 / sqrt(pi), as value * 2^power. */
static struct dd erf_slope(double x, int *power)
{
    const struct dd e = fn_exp_parts(dd_negative(dd_product(x, x)), power);
    return dd_multiply(e, TABLE_TWO_PER_ROOT_PI);
}

/* erf(x), 0 <= x < 2: the slope times the sum of (2 x^2)^n x / (1 3 5 ... (2 n + 1)), whose terms
 * are all positive. */
static struct dd by_series(double x)
{
    const struct dd twice = dd_times_power(dd_product(x, x), 2);
    struct dd term = {x, 0}, sum = {x, 0};
    for (int n = 1; term.hi > sum.hi * 0x1p-70; n++) {
        term = dd_divide(dd_multiply(term, twice), (struct dd){2 * n + 1, 0});
        sum = dd_add(sum, term);
    }
    int power;
    const struct dd rate = erf_slope(x, &power);
    return dd_times_power(dd_multiply(sum, rate), dd_power_of_two(power));
}

/* erfc(x) = exp(-x^2) / sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + (3/2) / (x + ...)))), x >= 2, as
 * value * 2^power; the inner half of the levels counts for less and is done in double. */
static struct dd by_fraction(double x, int *power)
{
    const int levels = (int)(20 + 560 / (x * x)), precise = levels / 2;
    double inner = x;
    for (int n = levels; n > precise; n--)
        inner = x + 0.5 * n / inner;
    struct dd fraction = {inner, 0};
    for (int n = precise; n > 0; n--)
        fraction = dd_add_double(dd_divide((struct dd){0.5 * n, 0}, fraction), x);
    return dd_divide(erf_slope(x, power), dd_times_power(fraction, 2));
}

double fn_erf(double x)
{
    const double size = fabs(x);
    if (isnan(x) || x == 0)
        return x;
    if (size < 0x1p-400)
        return dd_scaled(dd_times(TABLE_TWO_PER_ROOT_PI, x * 0x1p500), -500);
    if (size > 6)
        return copysign(1, x);
    struct dd y;
    if (size < FRACTION_FROM) {
        y = by_series(size);
    } else {
        int power;
        y = by_fraction(size, &power);
        y = dd_add_double(dd_negative(dd_times_power(y, dd_power_of_two(power))), 1);
    }
    return copysign(y.hi + y.lo, x);
}

double fn_erfc(double x)
{
    if (isnan(x))
        return x;
    const double size = fabs(x);
    if (size > 28)
        return x > 0 ? 0 : 2;
    if (size < 0x1p-60)
        return 1;
    struct dd y;
    if (size < FRACTION_FROM) {
        y = by_series(size);
        y = dd_add_double(x < 0 ? y : dd_negative(y), 1);
        return y.hi + y.lo;
    }
    int power;
    y = by_fraction(size, &power);
    if (x > 0)
        return dd_scaled(y, power);
    if (x < -6)
        return 2;
    y = dd_add_double(dd_negative(dd_times_power(y, dd_power_of_two(power))), 2);
    return y.hi + y.lo;
}

/* cbrt and hypot. */

double fn_cbrt(double x)
{
    double size = fabs(x);
    if (!(size < HUGE_VAL) || size == 0)
        return x;
    int scale = 0;
    if (size < 0x1p-1022) {
        size *= 0x1p54;
        scale = -18;
    }
    /* size = m 8^third with 1 <= m < 8 */
    const uint64_t bits = dd_bits(size);
    const int exponent = (int)(bits >> 52) - 1023 + 1026, third = exponent / 3,
              left = exponent - 3 * third;
    const double m =
        dd_of_bits((bits & UINT64_C(0x000fffffffffffff)) | (uint64_t)(1023 + left) << 52);
    /* The first guess is within 2 percent; then Halley's steps follow, the last of them from the
     * exact cube. */
    double y = 0.754 + m * (0.2718 - m * 0.0145);
    for (int i = 0; i < 2; i++) {
        const double cube = y * y * y;
        y -= y * (cube - m) / (2 * cube + m);
    }
    const struct dd square = dd_product(y, y), cube = dd_product(square.hi, y);
    const double over = ((cube.hi - m) + cube.lo) + square.lo * y;
    y -= over / (3 * square.hi);
    return copysign(y * dd_power_of_two(third - 342 + scale), x);
}

double fn_hypot(double x, double y)
{
    if (isinf(x) || isinf(y))
        return HUGE_VAL;
    const double a = fabs(x), b = fabs(y);
    double most = a > b ? a : b, least = a > b ? b : a;
    if (isnan(x) || isnan(y))
        return x + y;
    if (most == 0 || least < most * 0x1p-60)
        return most + least;
    double scale = 1;
    if (most > 0x1p400)
        scale = 0x1p600;
    else if (most < 0x1p-400)
        scale = 0x1p-600;
    most /= scale;
    least /= scale;
    const struct dd p = dd_product(most, most), q = dd_product(least, least);
    const struct dd root = dd_root(dd_add(p, q));
    return (root.hi + root.lo) * scale;
}
