#include "tests/support/cuda/fake_cuda.h"

#include <epoxy/gl.h>

#include <cuda_runtime_api.h>
#include <cuda_gl_interop.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LATER_MAX = 16 };

struct cudaGraphicsResource {
    GLuint name;
    bool is_image, mapped;
    GLint width, height; /* of an image of four bytes a texel */
    size_t size;
    uint8_t *data;
};

struct CUevent_st {
    bool recorded;
    cudaStream_t stream;
};

struct copy {
    void *to;
    const void *from;
    size_t size;
    cudaStream_t stream;
};

static struct {
    int device; /* the present one */
    const uint8_t *second;
    size_t second_size;
    enum fake_cuda_peers peers;
    bool access; /* of device 0 to device 1 */
    int peer_copies;
    int maps, mapped, alive, later_count, incoming_count;
    struct copy later[LATER_MAX], incoming[LATER_MAX]; /* to the host, and to the device */
} pretence;

int fake_cuda_maps(void)
{
    const int maps = pretence.maps;
    pretence.maps = 0;
    return maps;
}

int fake_cuda_mapped(void)
{
    return pretence.mapped;
}

int fake_cuda_alive(void)
{
    return pretence.alive;
}

void fake_cuda_on_second(const void *from, size_t size)
{
    pretence.second = from;
    pretence.second_size = size;
}

void fake_cuda_set_peers(enum fake_cuda_peers peers)
{
    pretence.peers = peers;
    pretence.access = false;
}

int fake_cuda_peer_copies(void)
{
    const int copies = pretence.peer_copies;
    pretence.peer_copies = 0;
    return copies;
}

static void insist(bool right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "CUDA is misused: %s\n", what);
    abort();
}

static void *make(size_t size)
{
    void *made = calloc(1, size);
    insist(made != NULL, "no memory");
    pretence.alive++;
    return made;
}

static cudaError_t drop(void *made)
{
    pretence.alive -= made != NULL;
    free(made);
    return cudaSuccess;
}

static cudaError_t catch_up(void)
{
    for (int i = 0; i < pretence.later_count; i++)
        memcpy(pretence.later[i].to, pretence.later[i].from, pretence.later[i].size);
    pretence.later_count = 0;
    for (int i = 0; i < pretence.incoming_count; i++)
        memcpy(pretence.incoming[i].to, pretence.incoming[i].from, pretence.incoming[i].size);
    pretence.incoming_count = 0;
    return cudaSuccess;
}

/* What goes to the device is there once another stream has waited for it. */
static void let_in(cudaStream_t stream)
{
    int left = 0;
    for (int i = 0; i < pretence.incoming_count; i++) {
        const struct copy *copy = &pretence.incoming[i];
        if (copy->stream == stream)
            memcpy(copy->to, copy->from, copy->size);
        else
            pretence.incoming[left++] = *copy;
    }
    pretence.incoming_count = left;
}

static bool on_second(const void *from)
{
    const uint8_t *byte = from;
    return pretence.second && byte >= pretence.second &&
           byte < pretence.second + pretence.second_size;
}

cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device > 1)
        return cudaErrorInvalidDevice;
    pretence.device = device;
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    insist(device == 0 && peer == 1, "other devices than the two");
    *can = pretence.peers == FAKE_STRAIGHT;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    insist(pretence.device == 0 && peer == 1 && flags == 0 && pretence.peers == FAKE_STRAIGHT,
           "access that cannot be");
    if (pretence.access)
        return cudaErrorPeerAccessAlreadyEnabled;
    pretence.access = true;
    return cudaSuccess;
}

cudaError_t cudaMemset(void *memory, int value, size_t size)
{
    memset(memory, value, size);
    return cudaSuccess;
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t size, cudaStream_t stream)
{
    insist(stream && to_device == 0 && from_device == 1, "a copy between other devices");
    insist(pretence.device == 0, "a stream of another device");
    insist(pretence.access == (pretence.peers == FAKE_STRAIGHT), "access was not asked for");
    if (pretence.peers == FAKE_APART)
        return cudaErrorInvalidDevice;
    pretence.peer_copies += on_second(from);
    memcpy(to, from, size);
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorInvalidDevice ? "invalid device" : "pretended";
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    insist(flags == cudaStreamNonBlocking, "a stream that waits for the default one");
    *stream = make(1);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return drop(stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    insist(stream != NULL, "no stream");
    return catch_up();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    insist(stream && event->recorded && flags == 0, "waiting for what has not been recorded");
    if (stream != event->stream)
        let_in(event->stream);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    insist(flags & cudaEventDisableTiming, "an event that takes the time");
    *event = make(sizeof **event);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return drop(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    insist(stream != NULL, "no stream");
    event->recorded = true;
    event->stream = stream;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    insist(event->recorded, "waiting for what has not been recorded");
    return catch_up();
}

cudaError_t cudaMalloc(void **memory, size_t size)
{
    *memory = make(size);
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    return drop(memory);
}

cudaError_t cudaMallocHost(void **memory, size_t size)
{
    return cudaMalloc(memory, size);
}

cudaError_t cudaFreeHost(void *memory)
{
    return drop(memory);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
    insist(kind == cudaMemcpyDeviceToHost, "an unexpected direction");
    memcpy(to, from, size);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    insist(stream != NULL, "no stream");
    if (kind == cudaMemcpyDeviceToDevice) {
        insist(!on_second(from), "a copy within a device of what is on another");
        memcpy(to, from, size);
        return cudaSuccess;
    }
    const bool in = kind == cudaMemcpyHostToDevice;
    struct copy *list = in ? pretence.incoming : pretence.later;
    int *count = in ? &pretence.incoming_count : &pretence.later_count;
    insist((in || kind == cudaMemcpyDeviceToHost) && *count < LATER_MAX, "an unexpected copy");
    list[(*count)++] = (struct copy){to, from, size, stream};
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t array, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct cudaGraphicsResource *image = (const void *)array;
    insist(stream && image->mapped, "an image that is not mapped");
    insist(x == 0 && y == 0 && width == 4 * (size_t)image->width &&
               height == (size_t)image->height && pitch >= width,
           "a part of an image");
    insist(kind == cudaMemcpyDeviceToDevice, "an unexpected direction");
    for (size_t row = 0; row < height; row++)
        memcpy((uint8_t *)to + row * pitch, image->data + row * width, width);
    return cudaSuccess;
}

cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *out, GLuint buffer, unsigned flags)
{
    GLint size = 0;
    insist(flags == cudaGraphicsRegisterFlagsWriteDiscard, "a buffer that keeps what it held");
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    *out = make(sizeof **out);
    **out = (struct cudaGraphicsResource){
        .name = buffer, .size = (size_t)size, .data = make((size_t)size)};
    return cudaSuccess;
}

cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *out, GLuint texture, GLenum target,
                                        unsigned flags)
{
    insist(target == GL_TEXTURE_2D && flags == cudaGraphicsRegisterFlagsReadOnly,
           "an image of another kind");
    *out = make(sizeof **out);
    **out = (struct cudaGraphicsResource){.name = texture, .is_image = true};
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &(*out)->width);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &(*out)->height);
    glBindTexture(GL_TEXTURE_2D, 0);
    (*out)->data = make(4 * (size_t)(*out)->width * (size_t)(*out)->height);
    return cudaSuccess;
}

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource)
{
    insist(!resource->mapped, "giving back what is mapped");
    drop(resource->data);
    return drop(resource);
}

cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
                                     cudaStream_t stream)
{
    insist(count > 0 && stream, "mapping nothing");
    pretence.maps++;
    for (int i = 0; i < count; i++) {
        struct cudaGraphicsResource *resource = resources[i];
        insist(!resource->mapped, "mapping what is mapped");
        resource->mapped = true;
        pretence.mapped++;
        if (!resource->is_image)
            continue;
        glBindTexture(GL_TEXTURE_2D, resource->name);
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, resource->data);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    return cudaSuccess;
}

cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                       cudaStream_t stream)
{
    insist(count > 0 && stream, "unmapping nothing");
    for (int i = 0; i < count; i++) {
        struct cudaGraphicsResource *resource = resources[i];
        insist(resource->mapped, "unmapping what is not mapped");
        resource->mapped = false;
        pretence.mapped--;
        if (resource->is_image)
            continue;
        glBindBuffer(GL_ARRAY_BUFFER, resource->name);
        glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)resource->size, resource->data);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
    }
    return cudaSuccess;
}

cudaError_t cudaGraphicsResourceGetMappedPointer(void **out, size_t *size,
                                                 cudaGraphicsResource_t resource)
{
    insist(resource->mapped && !resource->is_image, "a buffer that is not mapped");
    *out = resource->data;
    *size = resource->size;
    return cudaSuccess;
}

cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *out, cudaGraphicsResource_t resource,
                                                  unsigned index, unsigned level)
{
    insist(resource->mapped && resource->is_image && index == 0 && level == 0,
           "an image that is not mapped");
    *out = (cudaArray_t)resource;
    return cudaSuccess;
}
