#include "sim/ranks/shown.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "kernels/threads.h"
#include "sim/bodies/whole.h"
#include "sim/ranks/near.h"
#include "sim/solver/cpu.h"
#include "sim/solver/host_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shown {
    struct solver solver;
    struct force force;
    float *mass;          /* [count] */
    struct bodies *parts; /* the components alone, for samples */
    const double (*position)[3], (*velocity)[3], (*acceleration)[3];
};

static struct shown *shown_of(struct solver *solver)
{
    return (struct shown *)solver;
}

static void close_solver(struct solver **solver)
{
    if (!*solver)
        return;
    free(shown_of(*solver)->mass);
    bodies_destroy(&shown_of(*solver)->parts);
    free(*solver);
    *solver = NULL;
}

static enum status load(struct solver *solver, const double (*position)[3],
                        const double (*velocity)[3], const double (*acceleration)[3])
{
    struct shown *shown = shown_of(solver);
    shown->position = position;
    shown->velocity = velocity;
    shown->acceleration = acceleration;
    return STATUS_OK;
}

static enum status save(struct solver *solver, struct bodies *bodies)
{
    const struct shown *shown = shown_of(solver);
    memcpy(bodies->position, shown->position, solver->count * sizeof *bodies->position);
    memcpy(bodies->velocity, shown->velocity, solver->count * sizeof *bodies->velocity);
    return STATUS_OK;
}

static enum status accelerations(struct solver *solver, double (*out)[3])
{
    memcpy(out, shown_of(solver)->acceleration, solver->count * sizeof *out);
    return STATUS_OK;
}

/* The forces are unknown. */
static enum status potential(struct solver *solver, double *energy)
{
    (void)solver;
    *energy = 0;
    return STATUS_OK;
}

static enum status find_broken(struct solver *solver, size_t *body)
{
    *body = solver->count;
    return STATUS_OK;
}

/* Collective: distances among the drawn bodies of all ranks. */
static enum status find_near(const struct shown *shown, struct view *view)
{
    const struct solver_near *near = &shown->solver.near;
    const size_t count = near->bodies ? near->count : shown->solver.count;
    float *to = view_values(view, COLUMN_DISTANCE), *distance = to;
    double(*drawn)[3] = NULL;
    enum status status = STATUS_OK;
    if (near->bodies) {
        drawn = malloc((count + 1) * sizeof *drawn);
        distance = malloc((count + 1) * sizeof *distance);
        if (!drawn || !distance)
            status =
                status_fail(STATUS_RUNTIME, "no memory for the neighbours of %zu bodies", count);
    }
    for (size_t i = 0; status == STATUS_OK && near->bodies && i < count; i++)
        memcpy(drawn[i], shown->position[near->bodies[i]], sizeof *drawn);
    if (status == STATUS_OK)
        status = ranks_near_find(near->bodies ? (const double(*)[3])drawn : shown->position, count,
                                 near->k, force_cpu_threads(), distance);
    if (status == STATUS_OK && near->bodies) {
        for (size_t i = 0; i < shown->solver.count; i++)
            to[i] = INFINITY;
        for (size_t i = 0; i < count; i++)
            to[near->bodies[i]] = distance[i];
    }
    if (near->bodies)
        free(distance);
    free(drawn);
    return status;
}

static enum status view_fill(struct solver *solver, struct view *view)
{
    const struct shown *shown = shown_of(solver);
    float *size = view_values(view, COLUMN_ACCELERATION);
    for (size_t i = 0; i < solver->count; i++) {
        const double *a = shown->acceleration[i];
        float *at = view->position + 4 * i, *out = view->velocity + 4 * i;
        for (int c = 0; c < 3; c++) {
            at[c] = (float)shown->position[i][c];
            out[c] = (float)shown->velocity[i][c];
        }
        at[3] = shown->mass[i];
        out[3] = 0;
        if (size)
            size[i] = (float)sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
    enum status status = STATUS_OK;
    if (view->whole_sample)
        status = whole_sample(shown->parts, view->position, view->velocity,
                              view_sample_stride(view->whole), view->whole_sample);
    return status == STATUS_OK && view_values(view, COLUMN_DISTANCE) ? find_near(shown, view)
                                                                     : status;
}

static enum status view_create(struct solver *solver, struct view **out)
{
    enum status status = host_view_create(solver, out);
    if (status != STATUS_OK || !solver->samples)
        return status;
    const size_t whole = (size_t)bodies_whole(shown_of(solver)->parts);
    const size_t stride = view_sample_stride(whole);
    (*out)->whole = whole;
    (*out)->whole_sample = memory_new((whole + stride - 1) / stride, 2 * sizeof(float[4]));
    return status;
}

static void view_destroy(struct solver *solver, struct view **view)
{
    if (*view)
        free((*view)->whole_sample);
    host_view_destroy(solver, view);
}

static const struct solver_ops ops = {
    .name = "cpu",
    .doc = "bodies of snapshots, shared by ranks",
    .views = VIEW_HOST,
    .potential = potential,
    .save = save,
    .load = load,
    .find_broken = find_broken,
    .accelerations = accelerations,
    .view_create = view_create,
    .view_fill = view_fill,
    .view_read = host_view_read,
    .view_destroy = view_destroy,
    .close = close_solver,
};

enum status shown_open(struct solver **out, const struct bodies *bodies,
                       const struct force_ops *force)
{
    struct shown *shown = memory_new(1, sizeof *shown);
    shown->solver = (struct solver){.ops = &ops, .count = bodies->count, .model = ops.name};
    shown->force.ops = force;
    shown->solver.force = &shown->force;
    shown->solver.kernel = "snapshots";
    shown->mass = malloc((bodies->count + 1) * sizeof *shown->mass);
    snprintf(shown->solver.device, sizeof shown->solver.device, "%d ranks", ranks_count());
    *out = &shown->solver;
    enum status status = bodies_create(&shown->parts, 0, bodies->component_count);
    if (status != STATUS_OK) {
        close_solver(out);
        return status;
    }
    shown->parts->shared = true;
    memcpy(shown->parts->components, bodies->components,
           bodies->component_count * sizeof *bodies->components);
    for (size_t i = 0; shown->mass && i < bodies->count; i++)
        shown->mass[i] = (float)bodies->mass[i];
    if (shown->mass)
        return STATUS_OK;
    close_solver(out);
    return status_fail(STATUS_RUNTIME, "no memory for the masses of %zu bodies", bodies->count);
}
