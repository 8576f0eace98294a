/* sin, cos, tan, atan, acos. */
#include "base/functions/fn.h"

#include "base/functions/double_double.h"
#include "base/functions/tables.h"

#include <stdbool.h>

__extension__ typedef unsigned __int128 wide;

/* The 64 bits of 2 / pi from bit `at` of the table on. */
static uint64_t bits_from(int at)
{
    const uint64_t *word = &TABLE_TWO_PER_PI[at / 64];
    return at % 64 ? word[0] << at % 64 | word[1] >> (64 - at % 64) : word[0];
}

/* x = quadrant pi / 2 + the result, |result| <= pi / 4, of finite x >= 0.7 (Payne and Hanek, 1983,
 * "Radian reduction for trigonometric functions"): x is an integer m times 2^e; the bits of 2 / pi
 * that give multiples of 4 are left out, and the 192 bits behind them are multiplied by m. */
static struct dd reduce(double x, int *quadrant)
{
    const uint64_t bits = dd_bits(x);
    const int e = (int)(bits >> 52) - 1075, at = e + 62;
    const uint64_t m = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
    const wide low = (wide)m * bits_from(at + 128);
    const wide middle = (wide)m * bits_from(at + 64) + (uint64_t)(low >> 64);
    uint64_t a = m * bits_from(at) + (uint64_t)(middle >> 64), b = (uint64_t)middle,
             c = (uint64_t)low;
    *quadrant = (int)((a + (UINT64_C(1) << 61)) >> 62);
    a -= (uint64_t)*quadrant << 62;
    *quadrant &= 3;
    const bool negative = a >> 63;
    if (negative) {
        c = ~c + 1;
        b = ~b + (c == 0);
        a = ~a + (c == 0 && b == 0);
    }
    int shift = 0;
    while (a == 0 && shift < 128) {
        a = b;
        b = c;
        c = 0;
        shift += 64;
    }
    const int zeros = a ? __builtin_clzll(a) : 0;
    const wide ab = (wide)a << 64 | b, all = zeros ? ab << zeros | c >> (64 - zeros) : ab;
    shift += zeros;
    const double hi = (double)(int64_t)(all >> 75);
    const double lo = (double)((int64_t)(all >> 22) & ((INT64_C(1) << 53) - 1));
    /* The 64 bits of a are from 2^1 quadrants down. */
    const struct dd turns = {hi * dd_power_of_two(-51 - shift), lo * dd_power_of_two(-104 - shift)};
    const struct dd angle = dd_multiply(TABLE_HALF_PI, dd_quick_sum(turns.hi, turns.lo));
    return negative ? dd_negative(angle) : angle;
}

/* Two numbers as struct dd, side by side: most processors compute with both at once. */
typedef double pair __attribute__((vector_size(16)));
struct pair_dd {
    pair hi, lo;
};

static inline struct pair_dd pair_sum(pair a, pair b)
{
    const pair sum = a + b, part = sum - a;
    return (struct pair_dd){sum, (a - (sum - part)) + (b - part)};
}

static inline struct pair_dd pair_quick_sum(pair a, pair b)
{
    const pair sum = a + b;
    return (struct pair_dd){sum, b - (sum - a)};
}

static inline struct pair_dd pair_split(pair a)
{
    const pair c = 134217729 * a, hi = c - (c - a);
    return (struct pair_dd){hi, a - hi};
}

static inline struct pair_dd pair_product(pair a, pair b)
{
    const struct pair_dd x = pair_split(a), y = pair_split(b);
    const pair p = a * b;
    return (struct pair_dd){p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

/* The sine and cosine of 0 <= x <= 0.8, from those of the nearest 1 / 64. */
static inline struct pair_dd first_octant(struct dd x)
{
    const int i = (int)(x.hi * 64 + 0.5);
    const struct dd s = TABLE_SIN[i].sin, c = TABLE_SIN[i].cos;
    const struct dd r = dd_sum(x.hi - i / 64.0, x.lo);
    const double y = r.hi, y2 = y * y;
    /* sin(r) = r + odd, cos(r) = 1 - r^2 / 2 + even */
    const double odd = -y * y2 * (1.0 / 6 - y2 * (1.0 / 120 - y2 * (1.0 / 5040)));
    const double even = y2 * y2 * (1.0 / 24 - y2 * (1.0 / 720 - y2 * (1.0 / 40320)));
    const struct dd half = dd_times_power(dd_product(y, y), -0.5);
    const double bend = half.lo - y * r.lo + even, rest = odd + r.lo;

    /* sin(a + r) = sin(a) cos(r) + cos(a) sin(r), cos(a + r) = cos(a) cos(r) - sin(a) sin(r) */
    const pair own = {s.hi, c.hi}, other = {c.hi, s.hi}, own_lo = {s.lo, c.lo};
    const pair other_lo = {c.lo, s.lo}, along = {y, -y}, curve = {half.hi, half.hi};
    const struct pair_dd turn = pair_product(other, along), under = pair_product(own, curve);
    const struct pair_dd sum = pair_sum(own, turn.hi), more = pair_sum(sum.hi, under.hi);
    const pair low = turn.lo + under.lo + own_lo + other_lo * along + own_lo * curve + own * bend +
                     other * (pair){rest, -rest};
    return pair_quick_sum(more.hi, more.lo + (sum.lo + low));
}

void fn_sincos_parts(double x, struct dd *sin, struct dd *cos)
{
    const double size = fabs(x);
    int quadrant = 0;
    const struct dd angle = size < 0.78 ? (struct dd){size, 0} : reduce(size, &quadrant);
    const bool back = angle.hi < 0;
    const struct pair_dd both = first_octant(back ? dd_negative(angle) : angle);
    const struct dd c = {both.hi[1], both.lo[1]};
    struct dd s = {both.hi[0], both.lo[0]};
    if (back)
        s = dd_negative(s);
    *sin = quadrant & 1 ? c : s;
    *cos = quadrant & 1 ? s : c;
    if ((quadrant >= 2) != (x < 0))
        *sin = dd_negative(*sin);
    if (quadrant == 1 || quadrant == 2)
        *cos = dd_negative(*cos);
}

double fn_sin(double x)
{
    if (!(fabs(x) < HUGE_VAL))
        return x - x;
    if (fabs(x) < 0x1p-27)
        return x;
    struct dd s, c;
    fn_sincos_parts(x, &s, &c);
    return s.hi + s.lo;
}

double fn_cos(double x)
{
    if (!(fabs(x) < HUGE_VAL))
        return x - x;
    if (fabs(x) < 0x1p-28)
        return 1;
    struct dd s, c;
    fn_sincos_parts(x, &s, &c);
    return c.hi + c.lo;
}

void fn_sincos(double x, double *sin, double *cos)
{
    if (!(fabs(x) >= 0x1p-27 && fabs(x) < HUGE_VAL)) {
        *sin = fn_sin(x);
        *cos = fn_cos(x);
        return;
    }
    struct dd s, c;
    fn_sincos_parts(x, &s, &c);
    *sin = s.hi + s.lo;
    *cos = c.hi + c.lo;
}

double fn_tan(double x)
{
    if (!(fabs(x) < HUGE_VAL))
        return x - x;
    if (fabs(x) < 0x1p-28)
        return x;
    struct dd s, c;
    fn_sincos_parts(x, &s, &c);
    const struct dd ratio = dd_divide(s, c);
    return ratio.hi + ratio.lo;
}

/* With a = i / 64 near x: atan(x) = atan(a) + atan((x - a) / (1 + a x)). */
struct dd fn_atan_parts(struct dd x)
{
    const int i = (int)(x.hi * 64 + 0.5);
    const double a = i / 64.0;
    const struct dd table = TABLE_ATAN[i], above = dd_sum(x.hi - a, x.lo);
    const struct dd t = i ? dd_divide(above, dd_add_double(dd_times(x, a), 1)) : above;
    const double y = t.hi, y2 = y * y;
    const double rest = -y * y2 *
                        ((1.0 / 3 - y2 * (1.0 / 5)) +
                         y2 * y2 * ((1.0 / 7 - y2 * (1.0 / 9)) + y2 * y2 * (1.0 / 11)));
    const struct dd sum = dd_sum(table.hi, y);
    return dd_quick_sum(sum.hi, sum.lo + (table.lo + t.lo + rest));
}

double fn_atan(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-27 || isnan(x))
        return x;
    struct dd y;
    if (size <= 1)
        y = fn_atan_parts((struct dd){size, 0});
    else if (size < 0x1p100)
        y = dd_add(TABLE_HALF_PI,
                   dd_negative(fn_atan_parts(dd_divide((struct dd){1, 0}, (struct dd){size, 0}))));
    else
        y = TABLE_HALF_PI;
    return copysign(y.hi + y.lo, x);
}

/* The angle to the nearer axis, by the ratio of both lengths. */
static struct dd below_45_degrees(double small, double large)
{
    if (large == 0 || isinf(large))
        return isinf(small) ? dd_times_power(TABLE_HALF_PI, 0.5) : (struct dd){0, 0};
    const int power = -ilogb(large);
    small = ldexp(small, power);
    large = ldexp(large, power);
    if (small < 0x1p-30 * large) /* less than 2^-60 of it from its tangent */
        return (struct dd){small / large, 0};
    return fn_atan_parts(dd_divide((struct dd){small, 0}, (struct dd){large, 0}));
}

double fn_atan2(double y, double x)
{
    if (isnan(x) || isnan(y))
        return x + y;
    const double across = fabs(x), up = fabs(y);
    struct dd angle = below_45_degrees(fmin(across, up), fmax(across, up));
    if (up > across)
        angle = dd_add(TABLE_HALF_PI, dd_negative(angle));
    if (signbit(x))
        angle = dd_add(TABLE_PI, dd_negative(angle));
    return copysign(angle.hi + angle.lo, y);
}

/* 2 atan(sqrt((1 - x) / (1 + x))) */
double fn_acos(double x)
{
    if (!(fabs(x) <= 1))
        return isnan(x) ? x : (double)NAN;
    if (x == 1)
        return 0;
    const double size = fabs(x);
    struct dd y = {0, 0};
    if (size < 1)
        y = dd_times_power(fn_atan_parts(dd_root(dd_divide(dd_sum(1, -size), dd_sum(1, size)))), 2);
    if (x < 0)
        y = dd_add(TABLE_PI, dd_negative(y));
    return y.hi + y.lo;
}
