/* Numbers in ascending order, for medians and quantiles. */
#pragma once

#include <stddef.h>

/* `values` may be NULL where count is 0; none is NaN. */
void sort_doubles(double *values, size_t count);

/* The value that sorting puts at place `rank` < count, in linear time; reorders the values. */
double double_of_rank(double *values, size_t count, size_t rank);
