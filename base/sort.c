#include "base/sort.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_doubles(double *values, size_t count)
{
    if (count > 0)
        qsort(values, count, sizeof *values, by_value);
}

static double middle_of(double a, double b, double c)
{
    const double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c < high ? c : high;
}

static void swap(double *a, double *b)
{
    const double former = *a;
    *a = *b;
    *b = former;
}

/* Hoare's selection, with those equal to the pivot in the middle. */
double double_of_rank(double *values, size_t count, size_t rank)
{
    size_t begin = 0, end = count;
    while (end - begin > 1) {
        const double pivot =
            middle_of(values[begin], values[begin + (end - begin) / 2], values[end - 1]);
        size_t below = begin, at = begin, above = end;
        while (at < above)
            if (values[at] < pivot)
                swap(values + at++, values + below++);
            else if (values[at] > pivot)
                swap(values + at, values + --above);
            else
                at++;
        if (rank < below)
            end = below;
        else if (rank >= above)
            begin = above;
        else
            return values[rank];
    }
    return values[rank];
}
