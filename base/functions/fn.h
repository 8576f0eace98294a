/* The elementary functions whose values decide bodies and films, with the same bits on every
 * machine: one source in IEEE operations, compiled without contraction. Libraries do not guarantee
 * this: the C library's values depend on its version and on the processor, those of a packaged
 * library (SLEEF, openlibm, CORE-MATH) on the distribution's version.
 *
 * As in C17, annex F, with rounding to nearest: the arguments 0, infinity and NaN, and what
 * overflows or underflows; errno is not set. Results are off by less than 0.51 ulp, and by less
 * than 1 where they are below 2^-1022. sqrt, fabs, floor, fmod, ldexp and the like are exact in
 * every C library and are not here. Thread-safe. */
#pragma once

double fn_exp(double x);
double fn_exp2(double x);
double fn_expm1(double x);
double fn_log(double x);
double fn_log10(double x);
double fn_log1p(double x);
double fn_pow(double x, double y);

double fn_cosh(double x);
double fn_tanh(double x);
double fn_atanh(double x);

/* sin, cos and tan take any finite angle in radians; it is reduced with as many bits of 2 / pi as
 * needed. */
double fn_sin(double x);
double fn_cos(double x);
void fn_sincos(double x, double *sin, double *cos); /* both for the price of one */
double fn_tan(double x);
double fn_atan(double x);
double fn_atan2(double y, double x);
double fn_acos(double x);

double fn_cbrt(double x);
double fn_hypot(double x, double y);

double fn_erf(double x);
double fn_erfc(double x);

/* Where a result is below 2^-16, the error is below 2^-69 instead. */
double fn_j0(double x);
double fn_j1(double x);
