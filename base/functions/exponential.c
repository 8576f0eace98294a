/* exp, log and functions derived from them. */
#include "base/functions/fn.h"

#include "base/functions/double_double.h"
#include "base/functions/tables.h"

#include <stdbool.h>

static const double INFINITE = HUGE_VAL;

/* x = k ln(2) / 128 + r with |r| <= ln(2) / 256: 2^(k / 128) from the table times the Taylor series
 * of exp(r). */
static inline struct dd exp_step(int k, struct dd r, int *power)
{
    const struct dd table = TABLE_EXP[k & 127];
    const double x = r.hi, x2 = x * x;
    const double rest =
        r.lo + x2 * (0.5 + x * (1.0 / 6)) +
        x2 * x2 * ((1.0 / 24 + x * (1.0 / 120)) + x2 * (1.0 / 720 + x * (1.0 / 5040)));
    const struct dd first = dd_product(table.hi, x), sum = dd_quick_sum(table.hi, first.hi);
    *power = (k - (k & 127)) / 128;
    return dd_quick_sum(sum.hi,
                        sum.lo + (first.lo + (table.lo + (table.hi * rest + table.lo * x))));
}

/* The same to 61 bits, for results that are rounded to a double next. */
static inline struct dd exp_step_quick(int k, struct dd r, int *power)
{
    const struct dd table = TABLE_EXP[k & 127];
    const double x = r.hi, x2 = x * x;
    const double rest = r.lo + x2 * (0.5 + x * (1.0 / 6)) +
                        x2 * x2 * ((1.0 / 24 + x * (1.0 / 120)) + x2 * (1.0 / 720));
    *power = (k - (k & 127)) / 128;
    return (struct dd){table.hi, table.lo + table.hi * (x + rest)};
}

/* Splits x into k ln(2) / 128 + r and returns k; x.lo may be up to 2^-24 of x.hi. */
static inline int exp_reduce(struct dd x, struct dd *r)
{
    const double k = rint(x.hi * 184.6649652337873); /* 128 / ln(2) */
    const double hi = x.hi - k * TABLE_LN2_STEP.hi;  /* exactly */
    *r = dd_sum(hi, x.lo - k * TABLE_LN2_STEP.lo);
    return (int)k;
}

struct dd fn_exp_parts(struct dd x, int *power)
{
    struct dd r;
    const int k = exp_reduce(x, &r);
    return exp_step(k, r, power);
}

/* exp(x), |x.hi| < 750 */
static inline double exp_rounded(struct dd x)
{
    struct dd r;
    int power;
    const int k = exp_reduce(x, &r);
    const struct dd e = exp_step_quick(k, r, &power);
    return dd_scaled(e, power);
}

double fn_exp(double x)
{
    if (!(x < 710 && x > -746))
        return x >= 710 ? INFINITE : x <= -746 ? 0 : x;
    return exp_rounded((struct dd){x, 0});
}

double fn_exp2(double x)
{
    if (!(x < 1024 && x > -1076))
        return x >= 1024 ? INFINITE : x <= -1076 ? 0 : x;
    const double k = rint(x * 128);
    int power;
    const struct dd e = exp_step_quick((int)k, dd_times(TABLE_LN2_WHOLE, x - k / 128), &power);
    return dd_scaled(e, power);
}

/* |x| < 710. Below -40 the result is -1 to the precision of a double, so 1 + result need not be
 * exact. */
static struct dd expm1_parts(struct dd x)
{
    if (x.hi < -80)
        return (struct dd){-1, 0};
    struct dd r;
    const int k = exp_reduce(x, &r);
    if (k == 0) { /* from r + r^2 / 2 on, without the 1 */
        const double y = r.hi;
        const struct dd square = dd_product(y, y);
        const double rest = y * y * y *
                            ((1.0 / 6 + y * (1.0 / 24)) +
                             y * y * ((1.0 / 120 + y * (1.0 / 720)) + y * y * (1.0 / 5040)));
        const struct dd sum = dd_quick_sum(y, 0.5 * square.hi);
        return dd_quick_sum(sum.hi, sum.lo + (rest + (r.lo + (0.5 * square.lo + y * r.lo))));
    }
    int power;
    const struct dd e = exp_step(k, r, &power);
    return dd_add_double(dd_times_power(e, dd_power_of_two(power)), -1);
}

double fn_expm1(double x)
{
    if (!(x < 709 && x > -80))
        return x <= -80 ? -1 : fn_exp(x);
    if (fabs(x) < 0x1p-54)
        return x;
    const struct dd e = expm1_parts((struct dd){x, 0});
    return e.hi + e.lo;
}

/* log((1 + r) x), where row i of the table stands for x, plus power ln(2). */
static inline struct dd log_step(int power, int i, struct dd r)
{
    const struct dd table = TABLE_LOG[i].log;
    const double front = dd_front(r.hi), back = r.hi - front;
    const struct dd square = {front * front, back * (r.hi + front)};
    const double x = r.hi, x2 = x * x, k = power;
    const double rest = x * x2 *
                        ((1.0 / 3 - x * (1.0 / 4)) +
                         x2 * ((1.0 / 5 - x * (1.0 / 6)) +
                               x2 * ((1.0 / 7 - x * (1.0 / 8)) + x2 * (1.0 / 9 - x * (1.0 / 10)))));
    const double exact = k * TABLE_LN2.hi + table.hi;
    const struct dd a = dd_sum(exact, x), b = dd_sum(a.hi, -0.5 * square.hi);
    const double low = (r.lo - 0.5 * square.lo) - x * r.lo + (k * TABLE_LN2.lo + table.lo);
    return dd_quick_sum(b.hi, b.lo + (a.lo + (low + rest)));
}

/* x = m 2^power with sqrt(1/2) < m < sqrt(2), about; *times: m is the result times *times, which is
 * a power of two. */
static inline double log_take_apart(double x, int *power, int *row, double *times)
{
    const uint64_t bits = dd_bits(x);
    *row = (int)(bits >> 45 & 127);
    *power = (int)(bits >> 52) - 1023 + (*row >= 53);
    *times = *row >= 53 ? 0.5 : 1;
    return dd_of_bits((bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000));
}

/* m * inverse - 1; both products are exact. */
static inline struct dd log_rest(double m, double inverse)
{
    const double front = dd_front(m);
    return dd_sum(front * inverse - 1, (m - front) * inverse);
}

/* log(x) of normal x > 0, to 66 bits. */
static inline struct dd log_parts(double x)
{
    int power, row;
    double times;
    const double m = log_take_apart(x, &power, &row, &times);
    return log_step(power, row, log_rest(m * times, TABLE_LOG[row].inverse));
}

struct dd fn_log1p_parts(struct dd x)
{
    const struct dd one = dd_sum(1, x.hi);
    int power, row;
    double times;
    const double m = log_take_apart(one.hi, &power, &row, &times);
    const double inverse = TABLE_LOG[row].inverse, scale = dd_power_of_two(-power) * inverse;
    const struct dd r =
        dd_add(log_rest(m * times, inverse), dd_times_power(dd_sum(one.lo, x.lo), scale));
    return log_step(power, row, r);
}

/* Makes a positive number normal; returns the exponent of the power of two it is multiplied by. */
static inline int lift(double *x)
{
    if (*x >= 0x1p-1022)
        return 0;
    *x *= 0x1p64;
    return 64;
}

/* The value of log(x) where x is 0, negative, infinite or NaN; false for the others, which are
 * lifted by 2^less. */
static bool log_special(double *x, int *less, double *out)
{
    if (*x > 0 && *x < INFINITE) {
        *less = lift(x);
        return false;
    }
    *out = *x == 0 ? -INFINITE : *x < 0 ? (double)NAN : *x;
    return true;
}

/* log(x / 2^less), less 0 or 64, of normal x > 0. */
static inline struct dd log_less(double x, int less)
{
    const struct dd y = log_parts(x);
    return less ? dd_add(y, dd_times(TABLE_LN2_WHOLE, -less)) : y;
}

double fn_log(double x)
{
    int less;
    double special;
    if (log_special(&x, &less, &special))
        return special;
    const struct dd y = log_less(x, less);
    return y.hi + y.lo;
}

double fn_log10(double x)
{
    int less;
    double special;
    if (log_special(&x, &less, &special))
        return special;
    const struct dd y = dd_multiply(log_less(x, less), TABLE_PER_LN10);
    return y.hi + y.lo;
}

double fn_log1p(double x)
{
    if (!(x > -1 && x < 0x1p60))
        return x == -1 ? -INFINITE : fn_log(x);
    if (fabs(x) < 0x1p-54)
        return x;
    const struct dd y = fn_log1p_parts((struct dd){x, 0});
    return y.hi + y.lo;
}

/* 0: no integer, 1: odd, 2: even. */
static int parity(double y)
{
    if (fabs(y) >= 0x1p53)
        return 2;
    if (y != floor(y))
        return 0;
    return fmod(y, 2) == 0 ? 2 : 1;
}

/* x^y where x or y is 0, infinite or NaN, or x is negative and y is not an integer. */
static bool pow_special(double x, double y, double *out)
{
    if (y == 0 || x == 1)
        *out = 1;
    else if (isnan(x) || isnan(y))
        *out = x + y;
    else if (isinf(y))
        *out = x == -1 ? 1 : (fabs(x) > 1) == (y > 0) ? INFINITE : 0;
    else if (x == 0 || isinf(x))
        *out = copysign((x == 0) == (y < 0) ? INFINITE : 0, parity(y) == 1 ? x : 1);
    else if (x < 0 && parity(y) == 0)
        *out = NAN;
    else
        return false;
    return true;
}

double fn_pow(double x, double y)
{
    double special, sign = 1;
    if (!(x > 0 && x < INFINITE && fabs(y) < INFINITE)) {
        if (pow_special(x, y, &special))
            return special;
        sign = x < 0 && parity(y) == 1 ? -1 : 1;
        x = fabs(x);
    }
    if (x == 1)
        return sign;
    if (fabs(y) < 0x1p-80)
        return sign;
    if (fabs(y) > 0x1p80)
        return sign * ((x > 1) == (y > 0) ? INFINITE : 0);
    const int less = lift(&x);
    const struct dd log = log_less(x, less);
    const double front = dd_front(log.hi), of_y = dd_front(y);
    const struct dd power = {front * of_y, (log.hi - front + log.lo) * of_y + log.hi * (y - of_y)};
    if (!(power.hi < 710 && power.hi > -746))
        return sign * (power.hi > 0 ? INFINITE : 0);
    return sign * exp_rounded(power);
}

double fn_cosh(double x)
{
    const double y = fabs(x);
    if (!(y < 711))
        return y + INFINITE;
    int power;
    const struct dd e = fn_exp_parts((struct dd){y, 0}, &power);
    if (y > 60)
        return dd_scaled(e, power - 1);
    const struct dd up = dd_times_power(e, dd_power_of_two(power - 1));
    const struct dd sum = dd_add(up, dd_divide((struct dd){0.25, 0}, up));
    return sum.hi + sum.lo;
}

double fn_tanh(double x)
{
    const double y = fabs(x);
    if (!(y < 22))
        return isnan(x) ? x : copysign(1, x);
    if (y < 0x1p-28)
        return x;
    const struct dd e = expm1_parts((struct dd){2 * y, 0});
    const struct dd ratio = dd_divide(e, dd_add_double(e, 2));
    return copysign(ratio.hi + ratio.lo, x);
}

double fn_atanh(double x)
{
    const double y = fabs(x);
    if (!(y < 1))
        return y == 1 ? copysign(INFINITE, x) : isnan(x) ? x : (double)NAN;
    if (y < 0x1p-28)
        return x;
    const struct dd ratio = dd_divide((struct dd){2 * y, 0}, dd_sum(1, -y));
    const struct dd log = fn_log1p_parts(ratio);
    return copysign(0.5 * (log.hi + log.lo), x);
}
