/* Numbers in ascending order, for medians and quantiles. */
#pragma once

#include <stddef.h>

/* `values` may be NULL where count is 0; none is NaN. */
void sort_doubles(double *values, size_t count);
