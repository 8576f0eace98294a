/* The error function and its complement. */
#include "base/functions/fn.h"

#include "base/functions/parts.h"
#include "base/functions/tables.h"

/* From here on the continued fraction. */
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
