#include "render/transfer.h"

#include <cuda_runtime_api.h>
#include <cuda_gl_interop.h>
#include <stdlib.h>

struct cuda_transfer {
    struct transfer base;
    struct transfer_params params;
    cudaStream_t stream;
    cudaEvent_t finished[TRANSFER_SLOTS];
    cudaGraphicsResource_t bodies[TRANSFER_SOURCES_MAX][2]; /* position, velocity */
    cudaGraphicsResource_t packed[TRANSFER_SLOTS][PICTURE_PLANES_MAX];
};

static enum status failed(cudaError_t error, const char *what)
{
    return status_fail(error == cudaErrorMemoryAllocation ? STATUS_DEVICE : STATUS_RUNTIME,
                       "%s failed in CUDA: %s", what, cudaGetErrorString(error));
}

#define CHECK(call, what)                                                                          \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess)                                                                 \
            return failed(error_, what);                                                           \
    } while (0)

static void close_cuda(struct transfer **transfer)
{
    struct cuda_transfer *self = (struct cuda_transfer *)*transfer;
    if (!self)
        return;
    cudaSetDevice(self->params.cuda_device);
    if (self->stream)
        cudaStreamSynchronize(self->stream);
    for (int i = 0; i < 2 * TRANSFER_SOURCES_MAX; i++)
        if (self->bodies[i / 2][i % 2])
            cudaGraphicsUnregisterResource(self->bodies[i / 2][i % 2]);
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++) {
        for (int p = 0; p < PICTURE_PLANES_MAX; p++)
            if (self->packed[slot][p])
                cudaGraphicsUnregisterResource(self->packed[slot][p]);
        if (self->finished[slot])
            cudaEventDestroy(self->finished[slot]);
    }
    if (self->stream)
        cudaStreamDestroy(self->stream);
    free(self);
    *transfer = NULL;
}

static enum status open_resources(struct cuda_transfer *self)
{
    const struct transfer_params *params = &self->params;
    CHECK(cudaSetDevice(params->cuda_device), "choosing the device");
    CHECK(cudaStreamCreateWithFlags(&self->stream, cudaStreamNonBlocking), "creating a stream");
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++)
        CHECK(cudaEventCreateWithFlags(&self->finished[slot],
                                       cudaEventDisableTiming | cudaEventBlockingSync),
              "creating an event");
    for (int i = 0; i < 2 * params->sources; i++) {
        const struct body_buffers *bodies = &params->bodies[i / 2];
        CHECK(cudaGraphicsGLRegisterBuffer(&self->bodies[i / 2][i % 2],
                                           i % 2 ? bodies->velocity : bodies->position,
                                           cudaGraphicsRegisterFlagsWriteDiscard),
              "sharing GL's body buffer");
    }
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++)
        for (int p = 0; p < params->layout.planes; p++)
            CHECK(cudaGraphicsGLRegisterImage(&self->packed[slot][p],
                                              params->packed[slot][p].texture, GL_TEXTURE_2D,
                                              cudaGraphicsRegisterFlagsReadOnly),
                  "sharing GL's picture");
    return STATUS_OK;
}

static enum status open_cuda(const struct transfer_params *params, struct transfer **out)
{
    struct cuda_transfer *self = calloc(1, sizeof *self);
    if (!self)
        return status_fail(STATUS_RUNTIME, "no memory left to share pictures with CUDA");
    self->base.ops = &transfer_cuda;
    self->params = *params;
    *out = &self->base;
    enum status status = open_resources(self);
    if (status != STATUS_OK)
        close_cuda(out);
    return status;
}

static enum status upload(struct transfer *transfer, int source, const struct view *view)
{
    struct cuda_transfer *self = (struct cuda_transfer *)transfer;
    const void *from[2] = {view->position, view->velocity};
    cudaGraphicsResource_t *bodies = self->bodies[source];
    CHECK(cudaSetDevice(self->params.cuda_device), "choosing the device");
    CHECK(cudaGraphicsMapResources(2, bodies, self->stream), "mapping GL's body buffers");
    for (int i = 0; i < 2; i++) {
        void *to;
        size_t size;
        CHECK(cudaGraphicsResourceGetMappedPointer(&to, &size, bodies[i]),
              "mapping GL's body buffers");
        CHECK(cudaMemcpyAsync(to, from[i], view->count * 4 * sizeof(float),
                              cudaMemcpyDeviceToDevice, self->stream),
              "copying bodies to GL");
    }
    CHECK(cudaGraphicsUnmapResources(2, bodies, self->stream), "unmapping GL's body buffers");
    return STATUS_OK;
}

static enum status start(struct transfer *transfer, int slot, uint8_t *data)
{
    struct cuda_transfer *self = (struct cuda_transfer *)transfer;
    const struct picture_layout *layout = &self->params.layout;
    CHECK(cudaGraphicsMapResources(layout->planes, self->packed[slot], self->stream),
          "mapping GL's picture");
    for (int p = 0; p < layout->planes; p++) {
        cudaArray_t array;
        CHECK(cudaGraphicsSubResourceGetMappedArray(&array, self->packed[slot][p], 0, 0),
              "mapping GL's picture");
        CHECK(cudaMemcpy2DFromArrayAsync(data + layout->plane[p].offset, layout->plane[p].stride,
                                         array, 0, 0, layout->plane[p].stride,
                                         layout->plane[p].rows, cudaMemcpyDeviceToHost,
                                         self->stream),
              "reading a picture back");
    }
    CHECK(cudaGraphicsUnmapResources(layout->planes, self->packed[slot], self->stream),
          "unmapping GL's picture");
    CHECK(cudaEventRecord(self->finished[slot], self->stream), "reading a picture back");
    return STATUS_OK;
}

static enum status wait(struct transfer *transfer, int slot)
{
    struct cuda_transfer *self = (struct cuda_transfer *)transfer;
    CHECK(cudaEventSynchronize(self->finished[slot]), "reading a picture back");
    return STATUS_OK;
}

static uint8_t *allocate(size_t size)
{
    void *data = NULL;
    return cudaMallocHost(&data, size) == cudaSuccess ? data : NULL;
}

static void release(uint8_t *data)
{
    cudaFreeHost(data);
}

enum status transfer_fetch_view(const struct view *view, float *position, float *velocity)
{
    size_t bytes = view->count * 4 * sizeof(float);
    CHECK(cudaSetDevice(view->device), "choosing the device");
    CHECK(cudaMemcpy(position, view->position, bytes, cudaMemcpyDeviceToHost),
          "copying bodies to the host");
    CHECK(cudaMemcpy(velocity, view->velocity, bytes, cudaMemcpyDeviceToHost),
          "copying bodies to the host");
    return STATUS_OK;
}

const struct transfer_ops transfer_cuda = {
    .description = "pictures through CUDA-GL interop",
    .open = open_cuda,
    .close = close_cuda,
    .upload = upload,
    .start = start,
    .wait = wait,
    .allocate = allocate,
    .release = release,
};
