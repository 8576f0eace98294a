#include "kernels/ladder/plane_cpu.h"

#include <math.h>
#include <string.h>

/* The first CUDA rung uses the same loop: pow in double, once per coordinate. */
static void accelerate(const struct plane *plane, const struct plane_memory *memory, size_t i)
{
    const struct plane_body *bodies = memory->bodies;
    float softening2 = plane->softening * plane->softening, ax = 0, ay = 0;
    for (size_t j = 0; j < plane->count; j++) {
        float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y;
        float d2 = dx * dx + dy * dy + softening2;
        ax += (float)((double)(bodies[j].mass * dx) / pow((double)d2, 1.5));
        ay += (float)((double)(bodies[j].mass * dy) / pow((double)d2, 1.5));
    }
    memory->acceleration[i] = ax;
    memory->acceleration[plane->count + i] = ay;
}

/* Returns the cell of the map, or -1 outside the window. */
static int move(const struct plane *plane, const struct plane_memory *memory, size_t i)
{
    struct plane_body *body = &memory->bodies[i];
    body->vx += memory->acceleration[i] * plane->dt;
    body->vy += memory->acceleration[plane->count + i] * plane->dt;
    body->x += body->vx * plane->dt;
    body->y += body->vy * plane->dt;

    const float edge = PLANE_SIDE / 2, cells = edge / plane->half;
    float u = body->x * cells, v = body->y * cells;
    if (!(u >= -edge && u < edge && v >= -edge && v < edge))
        return -1;
    return ((int)floorf(v) + PLANE_SIDE / 2) * PLANE_SIDE + (int)floorf(u) + PLANE_SIDE / 2;
}

static int launch_serial(const struct plane *plane, const struct plane_memory *memory,
                         unsigned turn, void *stream)
{
    (void)turn;
    (void)stream;
    for (size_t i = 0; i < plane->count; i++)
        accelerate(plane, memory, i);
    memset(memory->map, 0, PLANE_CELLS * sizeof *memory->map);
    for (size_t i = 0; i < plane->count; i++) {
        int cell = move(plane, memory, i);
        if (cell >= 0)
            memory->map[cell]++;
    }
    return 0;
}

static int launch_parallel(const struct plane *plane, const struct plane_memory *memory,
                           unsigned turn, void *stream)
{
    (void)turn;
    (void)stream;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < plane->count; i++)
        accelerate(plane, memory, i);
    memset(memory->map, 0, PLANE_CELLS * sizeof *memory->map);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < plane->count; i++) {
        int cell = move(plane, memory, i);
        if (cell >= 0) {
#pragma omp atomic
            memory->map[cell]++;
        }
    }
    return 0;
}

static const struct plane_rung serial = {
    .name = "CPU",
    .idea = "one thread; pow(r2, 1.5) in double",
    .layout = PLANE_STRUCTURES,
    .buffers = 1,
    .tolerance = 2e-5,
    .launch = launch_serial,
};

static const struct plane_rung openmp = {
    .name = "OpenMP",
    .idea = "the same loop, bodies shared out among the threads",
    .layout = PLANE_STRUCTURES,
    .buffers = 1,
    .tolerance = 2e-5,
    .launch = launch_parallel,
};

const struct plane_rung *const plane_cpu_rungs[] = {&serial, &openmp, NULL};
