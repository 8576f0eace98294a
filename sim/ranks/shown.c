#include "sim/ranks/shown.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "kernels/threads.h"
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
    float *mass; /* [count] */
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
            status = status_fail(STATUS_RUNTIME, "no memory for the neighbours of %zu bodies",
                                 count);
    }
    status = ranks_agree(status);
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
    return view_values(view, COLUMN_DISTANCE) ? find_near(shown, view) : STATUS_OK;
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
    .view_create = host_view_create,
    .view_fill = view_fill,
    .view_read = host_view_read,
    .view_destroy = host_view_destroy,
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
    for (size_t i = 0; shown->mass && i < bodies->count; i++)
        shown->mass[i] = (float)bodies->mass[i];
    if (shown->mass)
        return STATUS_OK;
    close_solver(out);
    return status_fail(STATUS_RUNTIME, "no memory for the masses of %zu bodies", bodies->count);
}
