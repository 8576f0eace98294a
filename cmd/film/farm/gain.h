/* How long a film takes on a farm, and how many tasks are of use: arithmetic only.
 *
 * The simulation is a chain: a range's task begins when the simulation has reached its first frame,
 * and then simulates, draws and encodes its own frames. Each task has a fixed cost: its start, its
 * first frame and the opening of its encoder. */
#pragma once

#include <stddef.h>

struct farm_cost {
    double simulate; /* seconds of the whole film's simulation */
    double whole;    /* seconds of the whole film by one run, whose stages overlap */
    double start;    /* seconds of a task before its second frame */
};

/* Seconds until the last of `tasks` ranges is complete, one machine each; tasks >= 1. */
double farm_seconds(const struct farm_cost *cost, size_t tasks);

/* The fewest tasks, at most `most`, that come within 5 % of the shortest time. */
size_t farm_useful(const struct farm_cost *cost, size_t most);
