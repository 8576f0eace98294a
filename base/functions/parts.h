/* Building blocks shared by several functions. */
#pragma once

#include "base/functions/double_double.h"

/* exp(x) = value * 2^power, 0.99 < value < 2.01, to 68 bits; |x| < 1e5. */
struct dd fn_exp_parts(struct dd x, int *power);

/* log(1 + x), to 66 bits of the result; -1 < x < 2^60. */
struct dd fn_log1p_parts(struct dd x);

/* sin(x), cos(x), to 66 bits of the result; x finite. */
void fn_sincos_parts(double x, struct dd *sin, struct dd *cos);

/* atan(x), to 66 bits of the result; 0 <= x <= 1. */
struct dd fn_atan_parts(struct dd x);
