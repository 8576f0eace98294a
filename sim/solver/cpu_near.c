#include "sim/solver/cpu_near.h"
#include "base/memory.h"
#include "sim/gravity/tree/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cpu_near {
    struct neighbours *neighbours;
    size_t count;      /* bodies that take part */
    double (*rows)[4]; /* rows of these bodies */
    float *distance;
};

void cpu_near_close(struct cpu_near **near)
{
    if (!*near)
        return;
    neighbours_close(&(*near)->neighbours);
    free((*near)->rows);
    free((*near)->distance);
    free(*near);
    *near = NULL;
}

static enum status open(struct cpu_near **out, const struct solver_near *request, size_t count)
{
    struct cpu_near *near = memory_new(1, sizeof *near);
    near->count = request->bodies ? request->count : count;
    near->rows = malloc(near->count * sizeof *near->rows);
    near->distance = malloc(near->count * sizeof *near->distance);
    enum status status =
        near->rows && near->distance
            ? neighbours_open(&near->neighbours, near->count, request->k)
            : status_fail(STATUS_RUNTIME, "no memory for the neighbours of %zu bodies, %zu bytes",
                          near->count, near->count * (sizeof *near->rows + sizeof(float)));
    if (status == STATUS_OK)
        *out = near;
    else
        cpu_near_close(&near);
    return status;
}

enum status cpu_near_find(struct cpu_near **near, const struct solver *solver, const double *mass,
                          const double (*position)[3], int threads, struct view *view)
{
    const uint32_t *bodies = solver->near.bodies;
    enum status status = *near ? STATUS_OK : open(near, &solver->near, solver->count);
    if (status != STATUS_OK)
        return status;
    struct cpu_near *n = *near;
    for (size_t i = 0; i < n->count; i++) {
        const size_t body = bodies ? bodies[i] : i;
        for (int c = 0; c < 3; c++)
            n->rows[i][c] = position[body][c];
        n->rows[i][3] = mass[body];
    }
    status =
        neighbours_find(n->neighbours, (const double(*)[4])n->rows, threads, n->distance, NULL);
    if (status != STATUS_OK)
        return status;
    float *distance = view_values(view, COLUMN_DISTANCE);
    float *dispersion = view_values(view, COLUMN_DISPERSION);
    for (size_t i = 0; i < solver->count && bodies; i++)
        distance[i] = INFINITY;
    for (size_t i = 0; i < n->count; i++)
        distance[bodies ? bodies[i] : i] = n->distance[i];
    if (!dispersion)
        return STATUS_OK;
    if (bodies)
        memset(dispersion, 0, solver->count * sizeof *dispersion);
    neighbours_dispersion(n->neighbours, (const float(*)[4])view->velocity, bodies, threads,
                          n->distance, dispersion);
    return STATUS_OK;
}
