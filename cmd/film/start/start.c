#include "cmd/film/start/start.h"

#include "base/functions/fn.h"
#include "base/sort.h"

#include <stdlib.h>

static const double origin[3];

enum status start_open(struct start *out, const struct bodies *bodies)
{
    const size_t count = bodies->count;
    *out = (struct start){.bodies = bodies,
                          .view = {.memory = VIEW_HOST, .device = -1, .count = count},
                          .lengths = malloc(count * sizeof *out->lengths)};
    float *position = out->view.position = malloc(count * sizeof(float[4]));
    if (!position || !out->lengths) {
        start_close(out);
        return status_fail(
            STATUS_RUNTIME,
            "no memory left to measure %zu bodies at the start, which takes %zu bytes", count,
            count * (sizeof *out->lengths + sizeof(float[4])));
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < 3; c++)
            position[4 * i + c] = (float)bodies->position[i][c];
        position[4 * i + 3] = (float)bodies->mass[i];
    }
    return STATUS_OK;
}

void start_close(struct start *start)
{
    free(start->view.position);
    free(start->lengths);
    *start = (struct start){0};
}

static double percentile(struct start *start, double (*vectors)[3], const double from[3],
                         double fraction)
{
    const struct bodies *bodies = start->bodies;
    size_t used = 0;
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1))
        start->lengths[used++] = fn_hypot(
            fn_hypot(vectors[i][0] - from[0], vectors[i][1] - from[1]), vectors[i][2] - from[2]);
    if (used == 0)
        return 0;
    sort_doubles(start->lengths, used);
    return start->lengths[(size_t)(fraction * (double)(used - 1))];
}

double start_radius(struct start *start, const double target[3], double fraction)
{
    return percentile(start, start->bodies->position, target, fraction);
}

double start_speed(struct start *start, double fraction)
{
    return start_length(start, start->bodies->velocity, fraction);
}

double start_length(struct start *start, double (*vectors)[3], double fraction)
{
    return percentile(start, vectors, origin, fraction);
}

double start_mean_mass(const struct start *start)
{
    const struct bodies *bodies = start->bodies;
    double sum = 0;
    size_t count = 0;
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1)) {
        sum += bodies->mass[i];
        count++;
    }
    return count > 0 ? sum / (double)count : 0;
}
