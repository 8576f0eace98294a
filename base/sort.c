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

/* Hoare's selection: the place stays between `low` and `high`. */
double sort_select(double *values, size_t count, size_t place)
{
    for (size_t low = 0, high = count - 1; low < high;) {
        const double pivot = values[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            const double value = values[i];
            values[i++] = values[j];
            values[j--] = value;
        }
        if (place <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[place];
}
