#include "sim/ranks/rank_view.h"

#include "base/memory.h"
#include "kernels/isa.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/ranks/near.h"
#include "sim/solver/cpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status ranks_view_create(struct solver *solver, const struct bodies *bodies, struct view **out)
{
    enum status status = host_view_create(solver, out);
    if (status != STATUS_OK || !solver->samples || bodies->shared == DIVIDE_NOT)
        return status;
    const size_t whole = whole_size(bodies_whole(bodies)), stride = view_sample_stride(whole);
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

/* Moves the numbers to the bodies that take part; the other bodies get `none`. */
static void spread_out(const struct solver_near *near, size_t all, float none, float *values)
{
    for (size_t i = near->count; i < all; i++)
        values[i] = none;
    for (size_t i = near->count; i-- > 0;) {
        const float own = values[i];
        values[i] = none;
        values[near->bodies[i]] = own;
    }
}

static enum status find_near(const struct solver *solver, double (*position)[3], struct view *view)
{
    const struct solver_near *near = &solver->near;
    const size_t all = solver->count, count = near->bodies ? near->count : all;
    float *distance = view_values(view, COLUMN_DISTANCE);
    float *dispersion = view_values(view, COLUMN_DISPERSION);
    float(*velocity)[4] = NULL; /* numbers of the bodies that take part */
    if (dispersion && !(velocity = malloc((count + 1) * sizeof *velocity)))
        return status_fail(STATUS_RUNTIME, "no memory for the velocities of %zu bodies", count);
    for (size_t i = 0; near->bodies && i < count; i++)
        memmove(position[i], position[near->bodies[i]], sizeof *position);
    for (size_t i = 0; dispersion && i < count; i++)
        memcpy(velocity[i], view->velocity + 4 * (near->bodies ? near->bodies[i] : i),
               sizeof *velocity);
    const enum status status =
        ranks_near_find((const double(*)[3])position, (const float(*)[4])velocity, count, near->k,
                        force_cpu_threads(), distance, dispersion);
    if (status == STATUS_OK && near->bodies)
        spread_out(near, all, INFINITY, distance);
    if (status == STATUS_OK && near->bodies && dispersion)
        spread_out(near, all, 0, dispersion);
    free(velocity);
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
