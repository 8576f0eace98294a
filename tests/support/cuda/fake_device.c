#include "tests/support/cuda/fake_device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUgraph_st {
    struct fake_launch *launches;
    size_t count;
};

struct CUstream_st {
    struct CUgraph_st queue, *recorded; /* recorded: NULL unless a graph is recorded */
    size_t next, past; /* launches of the queue that have run; launches before the queue's first */
};

struct CUevent_st {
    bool recorded;
    int graphs; /* launched before */
    struct CUstream_st *stream;
    size_t place; /* launches of the stream before the event */
};

struct block {
    struct block *next;
    size_t bytes;
    void *memory;
};

static struct {
    int alive, launches, fail_in;
    int graphs, waited, ahead; /* launched; waited for; most of them not waited for */
    bool entered;              /* a device was selected */
    size_t free_bytes;
    int capability;
    struct block *blocks;
} device = {.free_bytes = (size_t)1 << 30};

void fake_device_insist(bool right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "CUDA is misused: %s\n", what);
    abort();
}

int fake_device_alive(void)
{
    return device.alive;
}

int fake_device_ahead(void)
{
    const int ahead = device.ahead;
    device.ahead = 0;
    return ahead;
}

int fake_device_launches(void)
{
    int launches = device.launches;
    device.launches = 0;
    return launches;
}

void fake_device_memory(size_t free_bytes)
{
    device.free_bytes = free_bytes;
}

void fake_device_capability(int number)
{
    device.capability = number;
}

void fake_device_fail(int calls)
{
    device.fail_in = calls;
}

static cudaError_t outcome(void)
{
    return device.fail_in > 0 && --device.fail_in == 0 ? cudaErrorUnknown : cudaSuccess;
}

static void *make(size_t bytes)
{
    void *made = calloc(1, bytes);
    fake_device_insist(made != NULL, "no memory");
    device.alive++;
    return made;
}

static cudaError_t drop(void *made)
{
    fake_device_insist(made != NULL, "giving back nothing");
    device.alive--;
    free(made);
    return cudaSuccess;
}

/* ---- launches ---- */

static void append(struct CUgraph_st *list, const struct fake_launch *launch)
{
    list->launches = realloc(list->launches, (list->count + 1) * sizeof *launch);
    fake_device_insist(list->launches != NULL, "no memory");
    list->launches[list->count++] = *launch;
}

/* Runs the launches before `place`; some of them run those of another stream. */
static void run_until(struct CUstream_st *stream, size_t place)
{
    while (stream->past + stream->next < place) {
        const struct fake_launch *launch = &stream->queue.launches[stream->next++];
        launch->run(launch);
        device.launches++;
    }
    if (stream->next == stream->queue.count) {
        stream->past += stream->queue.count;
        stream->queue.count = stream->next = 0;
    }
}

static void run_queue(struct CUstream_st *stream)
{
    run_until(stream, stream->past + stream->queue.count);
}

int fake_device_launch(void *stream, const struct fake_launch *launch)
{
    struct CUstream_st *to = stream;
    fake_device_insist(to && device.entered, "a launch without stream or device");
    cudaError_t error = outcome();
    if (error == cudaSuccess)
        append(to->recorded ? to->recorded : &to->queue, launch);
    return error;
}

static void copy(const struct fake_launch *launch)
{
    memcpy(launch->to[0], launch->from[0], launch->count);
}

static void fill(const struct fake_launch *launch)
{
    memset(launch->to[0], (int)launch->number, launch->count);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    fake_device_insist(kind == cudaMemcpyDeviceToDevice || !stream->recorded,
                       "a copy to or from the host is recorded");
    return (cudaError_t)fake_device_launch(
        stream, &(struct fake_launch){.run = copy, .count = bytes, .from = {from}, .to = {to}});
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    return (cudaError_t)fake_device_launch(
        stream, &(struct fake_launch){
                    .run = fill, .count = bytes, .number = (size_t)(unsigned)value, .to = {to}});
}

/* ---- devices ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    return cudaDriverGetVersion(version);
}

cudaError_t cudaSetDevice(int ordinal)
{
    fake_device_insist(ordinal == 0, "another device");
    device.entered = true;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *ordinal)
{
    *ordinal = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int ordinal)
{
    fake_device_insist(ordinal == 0, "another device");
    *value = attribute == cudaDevAttrMultiProcessorCount      ? 132
             : attribute == cudaDevAttrClockRate              ? 1980000
             : attribute == cudaDevAttrComputeCapabilityMajor ? device.capability / 10
             : attribute == cudaDevAttrComputeCapabilityMinor ? device.capability % 10
                                                              : 0;
    return outcome();
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int ordinal)
{
    fake_device_insist(ordinal == 0, "another device");
    *properties = (struct cudaDeviceProp){.name = "fake device", .multiProcessorCount = 132};
    return outcome();
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "out of memory" : "pretended";
}

/* ---- memory ---- */

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all)
{
    *free_bytes = *all = device.free_bytes;
    return outcome();
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    cudaError_t error = outcome();
    if (error != cudaSuccess)
        return error;
    if (bytes > device.free_bytes)
        return cudaErrorMemoryAllocation;
    struct block *block = make(sizeof *block);
    *block = (struct block){device.blocks, bytes, aligned_alloc(256, (bytes + 255) / 256 * 256)};
    fake_device_insist(bytes > 0 && block->memory, "no memory");
    memset(block->memory, 0xa5, bytes);
    device.blocks = block;
    device.free_bytes -= bytes;
    *memory = block->memory;
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    if (!memory)
        return cudaSuccess;
    struct block **at = &device.blocks;
    while (*at && (*at)->memory != memory)
        at = &(*at)->next;
    struct block *block = *at;
    fake_device_insist(block != NULL, "giving back what was never taken");
    *at = block->next;
    device.free_bytes += block->bytes;
    free(block->memory);
    return drop(block);
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    return cudaMalloc(memory, bytes);
}

cudaError_t cudaFreeHost(void *memory)
{
    return cudaFree(memory);
}

/* ---- streams, events, graphs ---- */

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = 0;
    *greatest = -1;
    return outcome();
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    fake_device_insist(priority == 0 || priority == -1, "a priority out of range");
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    fake_device_insist(flags == cudaStreamNonBlocking, "a stream that waits for the default one");
    cudaError_t error = outcome();
    if (error == cudaSuccess)
        *stream = make(sizeof **stream);
    return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream->queue.launches);
    return drop(stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    fake_device_insist(stream && !stream->recorded, "waiting while a graph is recorded");
    run_queue(stream);
    device.waited = device.graphs;
    return outcome();
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    cudaError_t error = outcome();
    if (error == cudaSuccess)
        *event = make(sizeof **event);
    return error;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    fake_device_insist(flags & cudaEventDisableTiming, "an event that takes the time");
    return cudaEventCreate(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return drop(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    fake_device_insist(stream && !stream->recorded, "time is taken while a graph is recorded");
    *event = (struct CUevent_st){true, device.graphs, stream, stream->past + stream->queue.count};
    return outcome();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    fake_device_insist(event->recorded, "waiting for what was never recorded");
    device.waited = event->graphs > device.waited ? event->graphs : device.waited;
    run_until(event->stream, event->place);
    return outcome();
}

static void wait_for_event(const struct fake_launch *launch)
{
    run_until(launch->to[0], launch->count);
}

/* Without effect before the event is recorded. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    fake_device_insist(flags == 0, "an unknown way to wait");
    if (!event->recorded)
        return outcome();
    return (cudaError_t)fake_device_launch(
        stream,
        &(struct fake_launch){.run = wait_for_event, .count = event->place, .to = {event->stream}});
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    fake_device_insist(start->recorded && end->recorded, "the time of what was never recorded");
    *milliseconds = 1;
    return outcome();
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    fake_device_insist(!stream->recorded && mode == cudaStreamCaptureModeThreadLocal,
                       "a graph is recorded already");
    cudaError_t error = outcome();
    if (error == cudaSuccess)
        stream->recorded = make(sizeof *stream->recorded);
    return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    fake_device_insist(stream->recorded != NULL, "no graph is recorded");
    *graph = stream->recorded;
    stream->recorded = NULL;
    return outcome();
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags)
{
    (void)flags;
    cudaError_t error = outcome();
    if (error != cudaSuccess)
        return error;
    struct CUgraph_st *made = make(sizeof *made);
    for (size_t i = 0; i < graph->count; i++)
        append(made, &graph->launches[i]);
    *executable = (cudaGraphExec_t)made;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    free(graph->launches);
    return drop(graph);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    return cudaGraphDestroy((cudaGraph_t)executable);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    const struct CUgraph_st *graph = (const struct CUgraph_st *)executable;
    cudaError_t error = outcome();
    for (size_t i = 0; error == cudaSuccess && i < graph->count; i++)
        append(&stream->queue, &graph->launches[i]);
    device.graphs++;
    if (device.graphs - device.waited > device.ahead)
        device.ahead = device.graphs - device.waited;
    return error;
}
