#include "sim/ranks/views.h"

#include "base/memory.h"
#include "kernels/threads.h"
#include "sim/bodies/whole.h"
#include "sim/ranks/near.h"
#include "sim/solver/host_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status ranks_view_create(struct solver *solver, const struct bodies *bodies, struct view **out)
{
    enum status status = host_view_create(solver, out);
    if (status != STATUS_OK || !solver->samples)
        return status;
    const size_t whole = (size_t)bodies_whole(bodies), stride = view_sample_stride(whole);
    (*out)->whole = whole;
    (*out)->whole_sample = memory_new((whole + stride - 1) / stride, 2 * sizeof(float[4]));
    return status;
}

void ranks_view_destroy(struct solver *solver, struct view **view)
{
    if (*view)
        free((*view)->whole_sample);
    host_view_destroy(solver, view);
}

static enum status find_near(const struct solver *solver, double (*position)[3], struct view *view)
{
    const struct solver_near *near = &solver->near;
    const size_t all = solver->count, count = near->bodies ? near->count : all;
    float *distance = view_values(view, COLUMN_DISTANCE);
    for (size_t i = 0; near->bodies && i < count; i++)
        memmove(position[i], position[near->bodies[i]], sizeof *position);
    const enum status status = ranks_near_find((const double(*)[3])position, count, near->k,
                                               force_cpu_threads(), distance);
    for (size_t i = count; status == STATUS_OK && i < all; i++)
        distance[i] = INFINITY;
    for (size_t i = count; near->bodies && status == STATUS_OK && i-- > 0;) {
        const float own = distance[i];
        distance[i] = INFINITY;
        distance[near->bodies[i]] = own;
    }
    return status;
}

enum status ranks_view_finish(const struct solver *solver, const struct bodies *bodies,
                              double (*position)[3], struct view *view)
{
    enum status status = STATUS_OK;
    if (view->whole_sample)
        status = whole_sample(bodies, view->position, view->velocity,
                              view_sample_stride(view->whole), view->whole_sample);
    return status == STATUS_OK && position ? find_near(solver, position, view) : status;
}
