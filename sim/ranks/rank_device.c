#include "sim/ranks/rank_device.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/solver/cuda/device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct device {
    int number;
    char name[128];
    struct force *force;
    cudaStream_t stream;
    struct sources sources; /* in device memory */
    /* Rows of all bodies, of the sources of a turn if it uses only a part, and of the rank's own
     * bodies. */
    void *rows, *halves, *part, *part_halves;
    double *centres, *part_centres, *out;
};

static enum status check(const struct device *device, int error, const char *what)
{
    if (error == cudaSuccess)
        return STATUS_OK;
    (void)cudaGetLastError();
    return status_fail(STATUS_RUNTIME, "%s cannot %s: %s", device->name, what,
                       cudaGetErrorString((cudaError_t)error));
}

void device_close(struct device **device)
{
    if (!*device)
        return;
    struct device *d = *device;
    (void)cudaSetDevice(d->number);
    if (d->stream)
        (void)cudaStreamDestroy(d->stream);
    void *const memory[] = {d->rows,    d->halves,       d->part, d->part_halves,
                            d->centres, d->part_centres, d->out,  d->force ? d->force->work : NULL};
    for (size_t m = 0; m < sizeof memory / sizeof *memory; m++)
        (void)cudaFree(memory[m]);
    (void)cudaGetLastError(); /* the device may not even exist */
    force_close(&d->force);
    free(d);
    *device = NULL;
}

/* Zeroed, so that padding rows have no mass. */
static int allocate(const struct device *d, void **out, size_t bytes)
{
    if (bytes == 0)
        return cudaSuccess;
    int error = cudaMalloc(out, bytes);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(*out, 0, bytes, d->stream);
    return error;
}

/* Gives padding rows, which have no mass, the softening of the first body, because no softening may
 * be zero. */
static int pad_halves(const struct device *d, void *to, const void *halves, size_t count,
                      size_t number)
{
    int error = cudaSuccess;
    for (size_t i = count; error == cudaSuccess && i < cuda_padded(count); i++)
        error = cudaMemcpyAsync((char *)to + i * number, halves, number, cudaMemcpyHostToDevice,
                                d->stream);
    return error;
}

static enum status open_memory(struct device *d, const struct solver_setup *setup,
                               const struct cpu_sources *sources)
{
    const struct sources *read = &sources->read;
    const size_t number = sources->number, some = setup->subset > 1 ? read->count : 0;
    const size_t own = read->end - read->begin;
    const bool tiled = read->centres != NULL;
    const struct {
        void **pointer;
        size_t bytes;
    } blocks[] = {
        {&d->rows, cuda_padded(read->bodies) * 4 * number},
        {&d->halves, read->halves ? cuda_padded(read->bodies) * number : 0},
        {&d->part, cuda_padded(some) * 4 * number},
        {&d->part_halves, read->halves ? cuda_padded(some) * number : 0},
        {(void **)&d->centres,
         tiled ? cuda_padded(read->bodies) / FORCE_TILE * sizeof(double[3]) : 0},
        {(void **)&d->part_centres, tiled ? cuda_padded(some) / FORCE_TILE * sizeof(double[3]) : 0},
        {(void **)&d->out, (own + 1) * sizeof(double[3])},
        {&d->force->work, d->force->work_bytes},
    };
    int error = cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking);
    for (size_t b = 0; error == cudaSuccess && b < sizeof blocks / sizeof *blocks; b++)
        error = allocate(d, blocks[b].pointer, blocks[b].bytes);
    if (error == cudaSuccess && read->halves)
        error = pad_halves(d, d->halves, read->halves, read->bodies, number);
    if (error == cudaSuccess && read->halves)
        error = cudaMemcpyAsync(d->halves, read->halves, read->bodies * number,
                                cudaMemcpyHostToDevice, d->stream);
    if (error == cudaSuccess && read->halves && some)
        error = pad_halves(d, d->part_halves, read->halves, some, number);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(d->stream);
    d->sources = *read;
    d->sources.bodies = own;
    d->sources.begin = 0;
    d->sources.end = own;
    d->sources.rows = (char *)d->rows + 4 * read->begin * number;
    d->sources.halves = d->halves ? (char *)d->halves + read->begin * number : NULL;
    d->sources.from = some ? d->part : d->rows;
    d->sources.from_halves = some ? d->part_halves : d->halves;
    if (tiled) {
        d->sources.centres = (force_centres)d->centres + read->begin / FORCE_TILE;
        d->sources.from_centres = (force_centres)(some ? d->part_centres : d->centres);
    }
    return check(d, error, "set up a slice");
}

enum status device_open(struct device **out, int number, const struct solver_setup *setup,
                        const struct cpu_sources *sources)
{
    struct cudaDeviceProp properties;
    struct device *d = memory_new(1, sizeof *d);
    const struct force_path *path = force_path_of(setup->force, "cuda");
    *out = NULL;
    d->number = number;
    enum status status = cuda_probe(number);
    if (status == STATUS_OK) {
        snprintf(d->name, sizeof d->name, "CUDA device %d", number);
        status = check(d, cudaSetDevice(number), "be used");
    }
    if (status == STATUS_OK)
        status = check(d, cudaGetDeviceProperties(&properties, number), "tell its properties");
    if (status == STATUS_OK) {
        snprintf(d->name, sizeof d->name, "%.100s", properties.name);
        const struct force_request request = {
            .bodies = sources->read.end - sources->read.begin,
            .slice = true,
            .sources = sources->read.count,
            .subset = setup->subset,
            .mixed = setup->mixed,
            .spline = setup->spline,
            .error = setup->force_error,
            .kernel = setup->kernel,
            .device = number,
            .multiprocessors = properties.multiProcessorCount,
        };
        status = force_open(setup->force, path, &request, &d->force);
    }
    if (status == STATUS_OK)
        status = open_memory(d, setup, sources);
    if (status == STATUS_OK)
        *out = d;
    else
        device_close(&d);
    return status;
}

enum status device_accelerate(struct device *device, const struct cpu_sources *sources,
                              double (*out)[3])
{
    const struct sources *read = &sources->read;
    const size_t number = sources->number, own = read->end - read->begin;
    const bool some = sources->subset > 1;
    const struct {
        void *to;
        const void *from;
        size_t bytes;
    } copies[] = {
        {device->rows, sources->rows, read->bodies * 4 * number},
        {device->centres, sources->centres,
         sources->centres ? tiles_for(read->bodies) * sizeof(double[3]) : 0},
        {device->part, sources->part, some ? read->count * 4 * number : 0},
        {device->part_centres, sources->part_centres,
         some && sources->centres ? tiles_for(read->count) * sizeof(double[3]) : 0},
        {device->part_halves, sources->part_halves,
         some && read->halves ? read->count * number : 0},
    };
    int error = cudaSetDevice(device->number);
    for (size_t k = 0; error == cudaSuccess && k < sizeof copies / sizeof *copies; k++)
        if (copies[k].bytes > 0)
            error = cudaMemcpyAsync(copies[k].to, copies[k].from, copies[k].bytes,
                                    cudaMemcpyHostToDevice, device->stream);
    if (error == cudaSuccess)
        error = device->force->path->accelerate(device->force, &device->sources,
                                                (double(*)[3])device->out, device->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out, device->out, own * sizeof *out, cudaMemcpyDeviceToHost,
                                device->stream);
    int finished = cudaStreamSynchronize(device->stream);
    return check(device, error == cudaSuccess ? finished : error, "compute forces");
}

const struct force *device_force(const struct device *device)
{
    return device->force;
}

const char *device_name(const struct device *device)
{
    return device->name;
}

int device_of_rank(const struct solver_setup *setup)
{
    int devices = 0;
    if (strcmp(setup->backend, "cpu") == 0)
        return -1;
    if (cudaGetDeviceCount(&devices) != cudaSuccess) {
        (void)cudaGetLastError();
        devices = 0;
    }
    if (devices == 0 && strcmp(setup->backend, "cuda") != 0)
        return -1;
    return setup->device < devices ? (setup->device + ranks_local()) % devices : setup->device;
}
