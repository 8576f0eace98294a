#include "cmd/bench/bed.h"

#include "base/memory.h"
#include "sim/solver/solver.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>

enum { BLOCKS_MAX = 64 };

struct bench_device {
    cudaStream_t stream;
    cudaEvent_t start, end;
    size_t block_count;
    void *blocks[BLOCKS_MAX];
};

static enum status check(int error, const char *what)
{
    if (error == cudaSuccess)
        return STATUS_OK;
    (void)cudaGetLastError(); /* clears the error, so that the next check does not see it */
    return status_fail(STATUS_RUNTIME, "CUDA could not %s: %s", what,
                       cudaGetErrorString((cudaError_t)error));
}

enum status bench_device_open(int ordinal, struct bench_device **out)
{
    *out = NULL;
    enum status status = solver_cuda.probe(ordinal);
    if (status != STATUS_OK)
        return status;
    struct bench_device *device = memory_new(1, sizeof *device);
    int error = cudaSetDevice(ordinal);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaEventCreate(&device->start);
    if (error == cudaSuccess)
        error = cudaEventCreate(&device->end);
    status = check(error, "open the device");
    if (status != STATUS_OK)
        bench_device_close(&device);
    *out = device;
    return status;
}

void bench_device_close(struct bench_device **device)
{
    if (!*device)
        return;
    bench_device_clear(*device);
    if ((*device)->start)
        (void)cudaEventDestroy((*device)->start);
    if ((*device)->end)
        (void)cudaEventDestroy((*device)->end);
    if ((*device)->stream)
        (void)cudaStreamDestroy((*device)->stream);
    free(*device);
    *device = NULL;
}

/* The clock is a separate attribute; some drivers do not report it (0). */
enum status bench_device_facts(struct bench_device *device, struct bench_device_facts *facts)
{
    (void)device;
    int ordinal = 0, processors = 0, kilohertz = 0, major = 0;
    *facts = (struct bench_device_facts){0};
    int error = cudaGetDevice(&ordinal);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, ordinal);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, ordinal);
    if (error != cudaSuccess)
        return check(error, "ask for the device's attributes");
    *facts = (struct bench_device_facts){processors, 4, 1e3 * kilohertz};
    return STATUS_OK;
}

enum status bench_device_alloc(struct bench_device *device, size_t bytes, void **out)
{
    *out = NULL;
    if (device->block_count == BLOCKS_MAX)
        return status_fail(STATUS_RUNTIME, "more than %d blocks of device memory", BLOCKS_MAX);
    int error = cudaMalloc(out, bytes);
    if (error == cudaErrorMemoryAllocation) {
        size_t unused = 0, all = 0;
        (void)cudaGetLastError();
        (void)cudaMemGetInfo(&unused, &all);
        return status_fail(STATUS_RUNTIME,
                           "the device has %zu MiB free and %zu MiB are needed; ask for fewer "
                           "bodies with -n",
                           unused >> 20, bytes >> 20);
    }
    if (error != cudaSuccess)
        return check(error, "allocate memory");
    device->blocks[device->block_count++] = *out;
    error = cudaMemsetAsync(*out, 0, bytes, device->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(device->stream);
    return check(error, "clear memory");
}

void bench_device_clear(struct bench_device *device)
{
    while (device->block_count > 0)
        (void)cudaFree(device->blocks[--device->block_count]);
}

static enum status copy(struct bench_device *device, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind kind, const char *what)
{
    int error = cudaMemcpyAsync(to, from, bytes, kind, device->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(device->stream);
    return check(error, what);
}

enum status bench_device_upload(struct bench_device *device, void *to, const void *from,
                                size_t bytes)
{
    return copy(device, to, from, bytes, cudaMemcpyHostToDevice, "copy to the device");
}

enum status bench_device_download(struct bench_device *device, void *to, const void *from,
                                  size_t bytes)
{
    return copy(device, to, from, bytes, cudaMemcpyDeviceToHost, "copy from the device");
}

enum status bench_device_launch(struct bench_device *device, bench_launch launch, void *user)
{
    enum status status = check(launch(user, device->stream), "launch the kernel");
    if (status == STATUS_OK)
        status = check(cudaStreamSynchronize(device->stream), "finish the kernel");
    return status;
}

struct device_work {
    struct bench_device *device;
    bench_launch launch;
    void *user;
};

static enum status sample_device(void *user, unsigned calls, double *seconds)
{
    struct device_work *work = user;
    struct bench_device *device = work->device;
    float milliseconds = 0;
    int error = cudaEventRecord(device->start, device->stream);
    for (unsigned k = 0; error == cudaSuccess && k < calls; k++)
        error = work->launch(work->user, device->stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(device->end, device->stream);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(device->end);
    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&milliseconds, device->start, device->end);
    *seconds = 1e-3 * (double)milliseconds;
    return check(error, "run the kernel");
}

enum status bench_device_median(struct bench_device *device, const struct bench_options *options,
                                bench_launch launch, void *user, double *seconds)
{
    struct device_work work = {device, launch, user};
    return bench_median(options, sample_device, &work, seconds);
}

struct device_copy {
    void *to, *from;
    size_t bytes;
};

static int launch_copy(void *user, void *stream)
{
    const struct device_copy *copy = user;
    return cudaMemcpyAsync(copy->to, copy->from, copy->bytes, cudaMemcpyDefault, stream);
}

enum status bench_device_rates(struct bench_device *device, const struct bench_options *options,
                               double *memory, double *to_host)
{
    struct device_copy copy = {.bytes = (size_t)1 << (options->quick ? 26 : 28)};
    double within = 0, across = 0;
    void *host = NULL;
    enum status status = bench_device_alloc(device, copy.bytes, &copy.from);
    if (status == STATUS_OK)
        status = bench_device_alloc(device, copy.bytes, &copy.to);
    if (status == STATUS_OK)
        status = bench_device_median(device, options, launch_copy, &copy, &within);
    if (status == STATUS_OK)
        status = check(cudaMallocHost(&host, copy.bytes), "allocate page-locked memory");
    if (status == STATUS_OK) {
        copy.to = host;
        status = bench_device_median(device, options, launch_copy, &copy, &across);
    }
    (void)cudaFreeHost(host);
    bench_device_clear(device);
    if (status == STATUS_OK && within > 0 && across > 0) {
        *memory = 2 * (double)copy.bytes / within;
        *to_host = (double)copy.bytes / across;
    }
    return status;
}
