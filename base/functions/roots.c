/* cbrt and hypot. */
#include "base/functions/fn.h"

#include "base/functions/parts.h"

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
