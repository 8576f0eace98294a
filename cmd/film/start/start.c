#include "cmd/film/start/start.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/sort.h"
#include "sim/bodies/whole.h"

#include <stdlib.h>

static const double origin[3];

enum status start_open(struct start *out, const struct bodies *bodies)
{
    const size_t count = bodies->count;
    *out = (struct start){.bodies = bodies,
                          .view = {.memory = VIEW_HOST, .device = -1, .count = count},
                          .lengths = malloc((count + 1) * sizeof *out->lengths)};
    float *position = out->view.position = malloc((count + 1) * sizeof(float[4]));
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
    if (!bodies->shared)
        return STATUS_OK;
    const size_t whole = whole_size(bodies_whole(bodies)), stride = view_sample_stride(whole);
    out->view.whole = whole;
    out->view.whole_sample = memory_new((whole + stride - 1) / stride, 2 * sizeof(float[4]));
    const enum status status = whole_sample(bodies, position, NULL, stride, out->view.whole_sample);
    if (status != STATUS_OK)
        start_close(out);
    return status;
}

void start_close(struct start *start)
{
    free(start->view.position);
    free(start->view.whole_sample);
    free(start->lengths);
    *start = (struct start){0};
}

static enum status percentile(struct start *start, double (*vectors)[3], const double from[3],
                              double fraction, double *out)
{
    const struct bodies *bodies = start->bodies;
    size_t used = 0;
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1))
        start->lengths[used++] = fn_hypot(
            fn_hypot(vectors[i][0] - from[0], vectors[i][1] - from[1]), vectors[i][2] - from[2]);
    sort_doubles(start->lengths, used);
    return whole_percentile(bodies, start->lengths, used, fraction, false, out);
}

enum status start_radius(struct start *start, const double target[3], double fraction, double *out)
{
    return percentile(start, start->bodies->position, target, fraction, out);
}

enum status start_speed(struct start *start, double fraction, double *out)
{
    return start_length(start, start->bodies->velocity, fraction, out);
}

enum status start_length(struct start *start, double (*vectors)[3], double fraction, double *out)
{
    return percentile(start, vectors, origin, fraction, out);
}

static void add_masses(const void *user, const struct bodies *bodies, size_t first, size_t count,
                       double *sum)
{
    (void)user;
    for (size_t i = first; i < first + count; i++)
        *sum += bodies->mass[i];
}

enum status start_mean_mass(const struct start *start, double *out)
{
    const struct bodies *bodies = start->bodies;
    double mass = 0, count = 0;
    enum status status = STATUS_OK;
    for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++) {
        if (!bodies->components[c].draw)
            continue;
        status = whole_continue(bodies, c, add_masses, NULL, &mass, 1);
        count += (double)component_whole(&bodies->components[c]);
    }
    *out = count > 0 ? mass / count : 0;
    return status;
}
