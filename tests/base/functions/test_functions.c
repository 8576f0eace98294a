/* The elementary functions: errors against long double, special values, recorded bits. Built
 * several times, with flags that change the bits of source that is not protected against them. */
#include "tests/support/test.h"

#include "base/functions/fn.h"
#include "base/random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(LDBL_MANT_DIG >= 64, "long double is the reference");

/* The distribution of arguments: evenly spaced, in equal ratios, and in equal ratios with both
 * signs. */
enum spread { EVEN, RATIO, BOTH };

struct function {
    const char *name;
    double (*ours)(double);
    long double (*reference)(long double);
    double low, high;
    enum spread spread;
    double most; /* error in ulp */
};

static const struct function functions[] = {
    {"exp", fn_exp, expl, -745, 709.7, EVEN, 0.51},
    {"exp", fn_exp, expl, -1, 1, EVEN, 0.51},
    {"exp2", fn_exp2, exp2l, -1074, 1023.99, EVEN, 0.51},
    {"expm1", fn_expm1, expm1l, -50, 700, EVEN, 0.51},
    {"expm1", fn_expm1, expm1l, 1e-18, 1, BOTH, 0.51},
    {"log", fn_log, logl, 1e-307, 1e307, RATIO, 0.51},
    {"log", fn_log, logl, 0.9, 1.1, EVEN, 0.51},
    {"log10", fn_log10, log10l, 1e-307, 1e307, RATIO, 0.51},
    {"log10", fn_log10, log10l, 0.9, 1.1, EVEN, 0.51},
    {"log1p", fn_log1p, log1pl, -0.99999, 5, EVEN, 0.51},
    {"log1p", fn_log1p, log1pl, 1e-20, 1e300, RATIO, 0.51},
    {"cosh", fn_cosh, coshl, -710, 710, EVEN, 0.51},
    {"tanh", fn_tanh, tanhl, 1e-12, 20, BOTH, 0.51},
    {"atanh", fn_atanh, atanhl, 1e-12, 1, BOTH, 0.51},
    {"sin", fn_sin, sinl, -10, 10, EVEN, 0.51},
    {"sin", fn_sin, sinl, 1e-9, 1e15, BOTH, 0.51},
    {"cos", fn_cos, cosl, -10, 10, EVEN, 0.51},
    {"cos", fn_cos, cosl, 1e-9, 1e15, BOTH, 0.51},
    {"tan", fn_tan, tanl, -10, 10, EVEN, 0.51},
    {"atan", fn_atan, atanl, -3, 3, EVEN, 0.51},
    {"atan", fn_atan, atanl, 1e-10, 1e20, BOTH, 0.51},
    {"acos", fn_acos, acosl, -1, 1, EVEN, 0.51},
    {"cbrt", fn_cbrt, cbrtl, 1, 8, EVEN, 0.51},
    {"cbrt", fn_cbrt, cbrtl, 1e-307, 1e307, BOTH, 0.51},
    {"erf", fn_erf, erfl, 1e-300, 6, BOTH, 0.51},
    {"erfc", fn_erfc, erfcl, -6, 2, EVEN, 0.51},
    {"erfc", fn_erfc, erfcl, 2, 26.5, EVEN, 0.51},
};

static double draw(const struct function *function, struct random *random)
{
    const double share = random_uniform(random);
    if (function->spread == EVEN)
        return function->low + share * (function->high - function->low);
    const double x = exp(log(function->low) + share * (log(function->high) - log(function->low)));
    const bool minus = function->spread == BOTH && random_uniform(random) < 0.5;
    return minus ? -x : x;
}

/* The unit in the last place of y; 2^-1074 where y is below 2^-1022. */
static long double ulp(long double y)
{
    int exponent;
    frexpl(y, &exponent);
    return ldexpl(1, (exponent < -1021 ? -1021 : exponent) - DBL_MANT_DIG);
}

/* Results below 2^-1022 are rounded twice. */
static bool within(double got, long double want, double most)
{
    const long double apart = fabsl(got - want) / ulp(want);
    return apart < (fabsl(want) < 0x1p-1021L ? 1 : most) + 0.01L; /* long double's own errors */
}

TEST(results_are_off_by_little_more_than_half_an_ulp)
{
    enum { DRAWS = 40000 };
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        struct random random = random_of(7, (uint32_t)f, 0);
        for (int i = 0; i < DRAWS; i++) {
            const double x = draw(&functions[f], &random), y = functions[f].ours(x);
            const long double want = functions[f].reference(x);
            if (!within(y, want, functions[f].most))
                fail_msg("%s(%a) is %a instead of %La", functions[f].name, x, y, want);
        }
    }
}

TEST(powers_hypotenuses_and_directions_too)
{
    struct random random = random_of(8, 0, 0);
    for (int i = 0; i < 100000; i++) {
        const double x = exp(1400 * (random_uniform(&random) - 0.5));
        const double most = i % 2 ? 700 / fabs(log(x)) : 3;
        const double y = most * (2 * random_uniform(&random) - 1), power = fn_pow(x, y);
        const long double want = powl(x, y);
        if (want < DBL_MAX && !within(power, want, 0.51))
            fail_msg("pow(%a, %a) is %a instead of %La", x, y, power, want);
        const double z = x * exp(20 * (random_uniform(&random) - 0.5));
        if (!within(fn_hypot(x, -z), hypotl(x, -z), 0.51))
            fail_msg("hypot(%a, %a) is %a", x, z, fn_hypot(x, -z));
        const double up = i & 2 ? z : -z, across = i & 4 ? x : -x;
        if (!within(fn_atan2(up, across), atan2l(up, across), 0.51))
            fail_msg("atan2(%a, %a) is %a", up, across, fn_atan2(up, across));
    }
}

/* The C library's own are worse near the zeros. J_n(x) is the mean of cos(n t - x sin(t)) over half
 * a turn, which the midpoint rule gives to all digits. */
TEST(bessel_functions_are_their_integrals)
{
    const long double pi = acosl(-1);
    for (int i = 0; i < 3000; i++) {
        const double x = i < 2000 ? i / 40.0 : i / 10.0;
        const int points = (int)(x / 2) * 2 + 120;
        long double j0 = 0, j1 = 0;
        for (int k = 0; k < points; k++) {
            const long double t = pi * (k + 0.5L) / points;
            j0 += cosl(x * sinl(t)) / points;
            j1 += cosl(t - x * sinl(t)) / points;
        }
        const double least = 4e-18 + 2e-19 * x; /* of the sums */
        const double room = least + 1.2e-16 * fabs((double)j0),
                     room1 = least + 1.2e-16 * fabs((double)j1);
        if (!(fabsl(fn_j0(x) - j0) < room && fabsl(fn_j1(x) - j1) < room1))
            fail_msg("x = %g: %a instead of %La, %a instead of %La", x, fn_j0(x), j0, fn_j1(x), j1);
        assert_true(fn_j0(-x) == fn_j0(x) && fn_j1(-x) == -fn_j1(x));
    }
}

/* The same number, sign of zero and NaN included. */
static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

TEST(special_values_are_those_of_the_standard)
{
    static const struct {
        const char *name;
        double (*f)(double), x, y;
    } cases[] = {
        {"exp", fn_exp, -INFINITY, 0},
        {"exp", fn_exp, 710, INFINITY},
        {"exp", fn_exp, -746, 0},
        {"exp", fn_exp, -0.0, 1},
        {"exp2", fn_exp2, 1024, INFINITY},
        {"exp2", fn_exp2, -1074, 0x1p-1074},
        {"exp2", fn_exp2, -1076, 0},
        {"exp2", fn_exp2, 31, 0x1p31},
        {"expm1", fn_expm1, -0.0, -0.0},
        {"expm1", fn_expm1, -INFINITY, -1},
        {"expm1", fn_expm1, 710, INFINITY},
        {"log", fn_log, 0, -INFINITY},
        {"log", fn_log, -1, NAN},
        {"log", fn_log, 1, 0},
        {"log", fn_log, INFINITY, INFINITY},
        {"log10", fn_log10, 1e22, 22},
        {"log10", fn_log10, 1e-300, -300},
        {"log1p", fn_log1p, -1, -INFINITY},
        {"log1p", fn_log1p, -0.0, -0.0},
        {"log1p", fn_log1p, -2, NAN},
        {"log1p", fn_log1p, 0x1p-1074, 0x1p-1074},
        {"cosh", fn_cosh, -711, INFINITY},
        {"cosh", fn_cosh, 0, 1},
        {"tanh", fn_tanh, -INFINITY, -1},
        {"tanh", fn_tanh, -0.0, -0.0},
        {"atanh", fn_atanh, 1, INFINITY},
        {"atanh", fn_atanh, -1, -INFINITY},
        {"atanh", fn_atanh, 2, NAN},
        {"sin", fn_sin, -0.0, -0.0},
        {"sin", fn_sin, INFINITY, NAN},
        {"sin", fn_sin, 0x1p-1074, 0x1p-1074},
        {"cos", fn_cos, 0, 1},
        {"cos", fn_cos, -INFINITY, NAN},
        {"tan", fn_tan, -0.0, -0.0},
        {"atan", fn_atan, -0.0, -0.0},
        {"atan", fn_atan, INFINITY, M_PI_2},
        {"acos", fn_acos, 1, 0},
        {"acos", fn_acos, -1, M_PI},
        {"acos", fn_acos, 1.5, NAN},
        {"cbrt", fn_cbrt, -27, -3},
        {"cbrt", fn_cbrt, -0.0, -0.0},
        {"cbrt", fn_cbrt, -INFINITY, -INFINITY},
        {"cbrt", fn_cbrt, 0x1p-1074, 0x1p-358},
        {"erf", fn_erf, -0.0, -0.0},
        {"erf", fn_erf, INFINITY, 1},
        {"erfc", fn_erfc, -INFINITY, 2},
        {"erfc", fn_erfc, INFINITY, 0},
        {"erfc", fn_erfc, 0, 1},
        {"j0", fn_j0, 0, 1},
        {"j0", fn_j0, INFINITY, 0},
        {"j1", fn_j1, -0.0, -0.0},
        /* The largest reductions: sin(2^1023), cos(2^1000), and a double next to a multiple of pi/2
         * (Muller, "Elementary functions", chapter 9: 6381956970095103 * 2^797). */
        {"sin", fn_sin, 0x1p1023, 0x1.205248cbdb76p-1},
        {"cos", fn_cos, 0x1.6ac5b262ca1ffp+849, -0x1.14ae72e6ba22fp-61},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double y = cases[i].f(cases[i].x);
        if (!same(y, cases[i].y))
            fail_msg("%s(%a) is %a instead of %a", cases[i].name, cases[i].x, y, cases[i].y);
    }
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        assert_true(isnan(functions[f].ours(NAN)));
}

TEST(special_powers_are_those_of_the_standard)
{
    static const double x[] = {0,         -0.0, 1,         -1,     0.5,   -0.5,
                               2,         -2,   3,         -3.5,   1e300, INFINITY,
                               -INFINITY, NAN,  0x1p-1074, -1e300, 1e5,   -0x1p-1074};
    static const double y[] = {0,      -0.0,     1,         -1,     0.5,     2,
                               -2,     3,        -3,        0x1p53, -0x1p60, 1e300,
                               -1e300, INFINITY, -INFINITY, NAN,    1e-300,  1075};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        for (size_t j = 0; j < sizeof y / sizeof *y; j++) {
            const double got = fn_pow(x[i], y[j]), want = pow(x[i], y[j]);
            if (!same(got, want) && !(fabs(got - want) <= 2.3e-16 * fabs(want) + 0x1p-1074))
                fail_msg("pow(%g, %g) is %a instead of %a", x[i], y[j], got, want);
        }
    for (int n = 0; n <= 22; n++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", n);
        assert_true(fn_pow(10, n) == strtod(text, NULL));
    }
    assert_true(fn_hypot(3, -4) == 5 && fn_hypot(NAN, -INFINITY) == INFINITY);
    assert_true(isnan(fn_hypot(NAN, 1)) && fn_hypot(0, -0.0) == 0);
    assert_true(fn_hypot(3e-320, 4e-320) == 5e-320 && fn_hypot(3e307, 4e307) == 5e307);
}

TEST(special_directions_are_those_of_the_standard)
{
    const double value[] = {0, 0x1p-1074, 0x1p-1022, 1, 2, 0x1p1023, INFINITY, NAN};
    const int count = sizeof value / sizeof *value;
    for (int i = 0; i < 4 * count * count; i++) {
        const double y = copysign(value[i / 4 % count], i & 1 ? -1 : 1);
        const double x = copysign(value[i / 4 / count], i & 2 ? -1 : 1);
        const double got = fn_atan2(y, x), want = (double)atan2l(y, x);
        if (!same(got, want) && !(fabs(got - want) <= 0x1p-1074))
            fail_msg("atan2(%a, %a) is %a instead of %a", y, x, got, want);
    }
}

TEST(sine_and_cosine_come_together)
{
    const double special[] = {0, -0.0, 0x1p-1074, 0x1p-28, -0x1p-27, 0x1p1023, INFINITY, NAN};
    const size_t specials = sizeof special / sizeof *special;
    struct random random = random_of(8, 0, 0);
    for (size_t i = 0; i < 20000 + specials; i++) {
        const double x = i < specials ? special[i] : 400 * (random_uniform(&random) - 0.5);
        double s, c;
        fn_sincos(x, &s, &c);
        if (!same(s, fn_sin(x)) || !same(c, fn_cos(x)))
            fail_msg("sincos(%a) is %a, %a instead of %a, %a", x, s, c, fn_sin(x), fn_cos(x));
    }
}

static uint64_t add(uint64_t hash, double y)
{
    uint64_t bits;
    memcpy(&bits, &y, sizeof bits);
    return splitmix64(hash ^ bits);
}

TEST(bits_are_those_recorded)
{
    uint64_t hash = 0;
    for (int i = 1; i <= 4000; i++) {
        const volatile double x = i / 97.0, share = i / 4001.0;
        static double (*const of_any[])(double) = {
            fn_exp, fn_exp2, fn_expm1, fn_log,  fn_log10, fn_log1p, fn_cosh, fn_tanh, fn_sin,
            fn_cos, fn_tan,  fn_atan,  fn_cbrt, fn_erf,   fn_erfc,  fn_j0,   fn_j1};
        for (size_t f = 0; f < sizeof of_any / sizeof *of_any; f++)
            hash = add(hash, of_any[f](x));
        hash = add(add(hash, fn_exp(-x)), fn_sin(x * 1e12));
        hash = add(add(hash, fn_acos(share)), fn_atanh(share));
        hash = add(add(hash, fn_pow(x, -1.3)), fn_hypot(x, share));
    }
    if (hash != UINT64_C(0xc05b948e8e6d4889))
        fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
}

TESTS(NULL, NULL)
