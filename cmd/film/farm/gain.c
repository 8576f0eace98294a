#include "cmd/film/farm/gain.h"

#include <math.h>

double farm_seconds(const struct farm_cost *cost, size_t tasks)
{
    const double n = (double)tasks;
    if (tasks <= 1)
        return cost->whole;
    const double before = cost->simulate * (n - 1) / n + (n - 1) * cost->start;
    return before + fmax(cost->whole, cost->simulate) / n + cost->start;
}

size_t farm_useful(const struct farm_cost *cost, size_t most)
{
    double least = farm_seconds(cost, 1);
    size_t tasks = 1;
    for (size_t n = 2; n <= most; n++)
        least = fmin(least, farm_seconds(cost, n));
    while (tasks < most && farm_seconds(cost, tasks) > 1.05 * least)
        tasks++;
    return tasks;
}
