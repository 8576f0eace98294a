#include "cmd/bench/plane.h"
#include "cmd/bench/time.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Floats per body: the structure, the acceleration, two sets of arrays, the mass. */
enum { FLOATS = 16, ROUND = 64 };

struct bench_plane {
    const struct plane_rung *kernel;
    struct plane plane;
    struct bench_device *device;
    size_t bytes;
    void *block, *on_device; /* host memory; device memory of the same layout, NULL for the CPU */
    struct plane_memory memory, there; /* memory: in block; there: the kernel's working memory */
    struct plane_body *before, *after;
};

/* Arrays begin at multiples of 256 bytes, for any count. */
static struct plane_memory lay_out(void *block, size_t count)
{
    size_t room = (count + ROUND - 1) / ROUND * ROUND;
    float *at = block;
    struct plane_memory memory = {
        .bodies = block,
        .acceleration = at + 5 * room,
        .mass = at + 7 * room,
        .map = (unsigned *)(at + FLOATS * room),
    };
    for (size_t b = 0; b < 2; b++) {
        float *arrays = at + (8 + 4 * b) * room;
        memory.now[b] = (struct plane_arrays){
            .x = arrays,
            .y = arrays + room,
            .vx = arrays + 2 * room,
            .vy = arrays + 3 * room,
        };
    }
    return memory;
}

static void fill(struct bench_plane *plane)
{
    const struct plane_memory *memory = &plane->memory;
    size_t count = plane->plane.count;
    /* Fills with NAN, and counts that cannot occur, to detect what was not written. */
    memset(plane->block, 0xff, plane->bytes);
    memcpy(memory->bodies, plane->before, count * sizeof *memory->bodies);
    for (size_t i = 0; i < count; i++) {
        memory->now[0].x[i] = plane->before[i].x;
        memory->now[0].y[i] = plane->before[i].y;
        memory->now[0].vx[i] = plane->before[i].vx;
        memory->now[0].vy[i] = plane->before[i].vy;
        memory->mass[i] = plane->before[i].mass;
    }
}

/* Gathers the state after the first iteration. */
static void gather(struct bench_plane *plane)
{
    const struct plane_memory *memory = &plane->memory;
    const struct plane_arrays *arrays = &memory->now[plane->kernel->buffers - 1];
    if (plane->kernel->layout == PLANE_STRUCTURES)
        memcpy(plane->after, memory->bodies, plane->plane.count * sizeof *plane->after);
    for (size_t i = 0; plane->kernel->layout == PLANE_ARRAYS && i < plane->plane.count; i++)
        plane->after[i] = (struct plane_body){.x = arrays->x[i],
                                              .y = arrays->y[i],
                                              .vx = arrays->vx[i],
                                              .vy = arrays->vy[i],
                                              .mass = memory->mass[i]};
}

enum status bench_plane_open(const struct plane_rung *kernel, size_t count,
                             struct bench_device *device, struct bench_plane **out)
{
    struct bench_plane *plane = memory_new(1, sizeof *plane);
    size_t room = (count + ROUND - 1) / ROUND * ROUND;
    *out = NULL;
    if (count >= 1 && count < SIZE_MAX / (FLOATS * sizeof(float)) - PLANE_CELLS) {
        plane->kernel = kernel;
        plane->plane = plane_example(count);
        plane->device = device;
        plane->bytes = FLOATS * room * sizeof(float) + PLANE_CELLS * sizeof(unsigned);
        plane->block = aligned_alloc(256, plane->bytes);
        plane->before = malloc(count * sizeof *plane->before);
        plane->after = malloc(count * sizeof *plane->after);
    }
    if (!plane->block || !plane->before || !plane->after) {
        bench_plane_close(&plane);
        return status_fail(STATUS_RUNTIME, "%zu bodies do not fit in memory; ask for fewer with -n",
                           count);
    }
    plane_bodies(count, plane->before);
    plane->memory = plane->there = lay_out(plane->block, count);
    fill(plane);

    enum status status = STATUS_OK;
    if (device) {
        bench_device_clear(device);
        status = bench_device_alloc(device, plane->bytes, &plane->on_device);
        if (status == STATUS_OK)
            status = bench_device_upload(device, plane->on_device, plane->block, plane->bytes);
        if (status == STATUS_OK)
            plane->there = lay_out(plane->on_device, count);
    }
    if (status != STATUS_OK)
        bench_plane_close(&plane);
    *out = plane;
    return status;
}

void bench_plane_close(struct bench_plane **plane)
{
    if (!*plane)
        return;
    if ((*plane)->device)
        bench_device_clear((*plane)->device);
    free((*plane)->block);
    free((*plane)->before);
    free((*plane)->after);
    free(*plane);
    *plane = NULL;
}

static int launch_device(void *user, unsigned turn, void *stream)
{
    const struct bench_plane *plane = user;
    return plane->kernel->launch(&plane->plane, &plane->there, turn, stream);
}

static void launch_host(void *user)
{
    const struct bench_plane *plane = user;
    (void)plane->kernel->launch(&plane->plane, &plane->there, 0, NULL);
}

enum status bench_plane_check(struct bench_plane *plane, double *error)
{
    char reason[PLANE_REASON];
    enum status status = STATUS_OK;
    *error = 0;
    if (plane->device) {
        status = bench_device_launch(plane->device, launch_device, plane, 0);
        if (status == STATUS_OK)
            status =
                bench_device_download(plane->device, plane->block, plane->on_device, plane->bytes);
    } else {
        launch_host(plane);
    }
    if (status != STATUS_OK)
        return status;
    gather(plane);
    if (!plane_check(&plane->plane, plane->before, plane->after, plane->memory.map,
                     plane->kernel->tolerance, error, reason))
        return status_fail(STATUS_RUNTIME, "%s", reason);
    return STATUS_OK;
}

enum status bench_plane_time(struct bench_plane *plane, const struct bench_options *options,
                             double *seconds)
{
    return plane->device
               ? bench_device_median(plane->device, options, launch_device, plane, seconds)
               : bench_median_cpu(options, launch_host, plane, seconds);
}
