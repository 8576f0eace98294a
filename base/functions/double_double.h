/* Numbers of about 106 bits as unevaluated sums of two doubles, |lo| <= ulp(hi) / 2 (Dekker, 1971,
 * "A floating-point technique for extending the available precision"), in the four IEEE operations
 * and sqrt alone, so that every processor gets the same bits with or without a fused multiply-add.
 * Only for sources that are compiled without contraction. Factors must be below 2^996; products
 * have all their bits only above 2^-960. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

struct dd {
    double hi, lo;
};

/* a + b, where |a| >= |b| or a = 0. */
static inline struct dd dd_quick_sum(double a, double b)
{
    const double sum = a + b;
    return (struct dd){sum, b - (sum - a)};
}

/* a + b, exactly. */
static inline struct dd dd_sum(double a, double b)
{
    const double sum = a + b, part = sum - a;
    return (struct dd){sum, (a - (sum - part)) + (b - part)};
}

/* The upper 26 bits and the rest (Veltkamp). */
static inline struct dd dd_split(double a)
{
    const double c = 134217729 * a, hi = c - (c - a);
    return (struct dd){hi, a - hi};
}

/* a * b, exactly. */
static inline struct dd dd_product(double a, double b)
{
    const struct dd x = dd_split(a), y = dd_split(b);
    const double p = a * b;
    return (struct dd){p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

static inline struct dd dd_add(struct dd a, struct dd b)
{
    struct dd sum = dd_sum(a.hi, b.hi);
    const struct dd low = dd_sum(a.lo, b.lo);
    sum = dd_quick_sum(sum.hi, sum.lo + low.hi);
    return dd_quick_sum(sum.hi, sum.lo + low.lo);
}

static inline struct dd dd_add_double(struct dd a, double b)
{
    const struct dd sum = dd_sum(a.hi, b);
    return dd_quick_sum(sum.hi, sum.lo + a.lo);
}

static inline struct dd dd_negative(struct dd a)
{
    return (struct dd){-a.hi, -a.lo};
}

/* a times a power of two. */
static inline struct dd dd_times_power(struct dd a, double power)
{
    return (struct dd){a.hi * power, a.lo * power};
}

static inline struct dd dd_multiply(struct dd a, struct dd b)
{
    const struct dd p = dd_product(a.hi, b.hi);
    return dd_quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline struct dd dd_times(struct dd a, double b)
{
    const struct dd p = dd_product(a.hi, b);
    return dd_quick_sum(p.hi, p.lo + a.lo * b);
}

static inline struct dd dd_divide(struct dd a, struct dd b)
{
    const double first = a.hi / b.hi;
    const struct dd back = dd_product(first, b.hi);
    const double rest = ((a.hi - back.hi) - back.lo) + (a.lo - first * b.lo);
    return dd_quick_sum(first, rest / b.hi);
}

static inline struct dd dd_root(struct dd a)
{
    const double first = sqrt(a.hi);
    if (!(first > 0))
        return (struct dd){first, 0};
    const struct dd back = dd_product(first, first);
    return dd_quick_sum(first, (((a.hi - back.hi) - back.lo) + a.lo) / (2 * first));
}

static inline uint64_t dd_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double dd_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* a without its last 27 bits: the product of two such numbers is exact. */
static inline double dd_front(double a)
{
    return dd_of_bits(dd_bits(a) & ~UINT64_C(0x7ffffff));
}

/* 2^k of a normal double, -1022 <= k <= 1023. */
static inline double dd_power_of_two(int k)
{
    return dd_of_bits((uint64_t)(k + 1023) << 52);
}

/* The sum of both times 2^k, rounded once, and once more where the result is below 2^-1022. */
static inline double dd_scaled(struct dd a, int k)
{
    const double x = a.hi + a.lo;
    if (k >= -1022 && k <= 1023)
        return x * dd_power_of_two(k);
    const int half = k / 2;
    return x * dd_power_of_two(half) * dd_power_of_two(k - half);
}

/* Building blocks shared by several functions. */

/* exp(x) = value * 2^power, 0.99 < value < 2.01, to 68 bits; |x| < 1e5. */
struct dd fn_exp_parts(struct dd x, int *power);

/* log(1 + x), to 66 bits of the result; -1 < x < 2^60. */
struct dd fn_log1p_parts(struct dd x);

/* sin(x), cos(x), to 66 bits of the result; x finite. */
void fn_sincos_parts(double x, struct dd *sin, struct dd *cos);

/* atan(x), to 66 bits of the result; 0 <= x <= 1. */
struct dd fn_atan_parts(struct dd x);
