#include "render/gl/transfer.h"

#include "base/memory.h"

#include <cuda_runtime_api.h>
#include <cuda_gl_interop.h>
#include <stdlib.h>
#include <string.h>

/* GL waits while CUDA has its memory mapped, and each handover costs a switch of the GPU between
 * the two. So there is one handover per frame: the bodies of this frame go in and the planes of the
 * last one come out, both within the device. The copy to the host runs while GL draws. */
enum {
    POSITION,
    VELOCITY,
    STAGED,
    ORDER = STAGED,
    ALONG_POSITION,
    ALONG_VELOCITY,
    ALONG_DISTANCE,
    COLUMNS,
    ATTRIBUTES = COLUMNS + VIEW_COLUMNS_MAX
};

/* A view in host memory is first copied into page-locked memory, and from there to the device by a
 * stream of its own, both while GL still draws the frame before. */
struct staged {
    float *host, *device; /* [count][4] */
};

struct cuda_transfer {
    struct transfer base;
    struct transfer_params params;
    cudaStream_t sharing, reading, loading;
    cudaEvent_t copied; /* the bodies */
    cudaEvent_t loaded; /* those of a view in host memory, to the device */
    struct staged staged[TRANSFER_SOURCES_MAX][STAGED]; /* positions and velocities */
    bool loads;                                         /* there was one */
    cudaEvent_t taken[TRANSFER_SLOTS], finished[TRANSFER_SLOTS];
    cudaGraphicsResource_t bodies[TRANSFER_SOURCES_MAX][ATTRIBUTES]; /* NULL: not shared, because no
                                                                      * column is in device
                                                                      * memory */
    bool filled[TRANSFER_SOURCES_MAX][VIEW_COLUMNS_MAX]; /* a constant column was copied */
    cudaGraphicsResource_t packed[TRANSFER_SLOTS][PICTURE_PLANES_MAX];
    uint8_t *planes[TRANSFER_SLOTS]; /* on the device, with the layout of the host */
    uint8_t *target[TRANSFER_SLOTS];
    int drawn; /* the slot that GL draws into and CUDA has not fetched yet, or -1 */
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
    cudaSetDevice(self->params.gl_device);
    if (self->sharing)
        cudaStreamSynchronize(self->sharing);
    if (self->reading)
        cudaStreamSynchronize(self->reading);
    if (self->loading)
        cudaStreamSynchronize(self->loading);
    for (int i = 0; i < STAGED * TRANSFER_SOURCES_MAX; i++) {
        cudaFreeHost(self->staged[i / STAGED][i % STAGED].host);
        cudaFree(self->staged[i / STAGED][i % STAGED].device);
    }
    for (int i = 0; i < ATTRIBUTES * TRANSFER_SOURCES_MAX; i++)
        if (self->bodies[i / ATTRIBUTES][i % ATTRIBUTES])
            cudaGraphicsUnregisterResource(self->bodies[i / ATTRIBUTES][i % ATTRIBUTES]);
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++) {
        for (int p = 0; p < PICTURE_PLANES_MAX; p++)
            if (self->packed[slot][p])
                cudaGraphicsUnregisterResource(self->packed[slot][p]);
        if (self->finished[slot])
            cudaEventDestroy(self->finished[slot]);
        if (self->taken[slot])
            cudaEventDestroy(self->taken[slot]);
        cudaFree(self->planes[slot]);
    }
    if (self->copied)
        cudaEventDestroy(self->copied);
    if (self->loaded)
        cudaEventDestroy(self->loaded);
    if (self->sharing)
        cudaStreamDestroy(self->sharing);
    if (self->reading)
        cudaStreamDestroy(self->reading);
    if (self->loading)
        cudaStreamDestroy(self->loading);
    free(self);
    *transfer = NULL;
}

static enum status share(cudaGraphicsResource_t *out, GLuint buffer)
{
    CHECK(cudaGraphicsGLRegisterBuffer(out, buffer, cudaGraphicsRegisterFlagsWriteDiscard),
          "sharing GL's body buffer");
    return STATUS_OK;
}

/* Enables direct copies between the devices if the machine supports them; otherwise CUDA's driver
 * copies through the host. Tries a copy now, so that a failure does not occur in the middle of a
 * film. */
static enum status connect_views(struct cuda_transfer *self)
{
    const int from = self->params.views.device, to = self->params.gl_device;
    int straight = 0;
    void *trial = NULL;
    CHECK(cudaDeviceCanAccessPeer(&straight, to, from), "asking for peer access");
    if (straight) {
        const cudaError_t error = cudaDeviceEnablePeerAccess(from, 0);
        if (error != cudaSuccess && error != cudaErrorPeerAccessAlreadyEnabled)
            return failed(error, "enabling peer access");
        cudaGetLastError(); /* forget the second one */
    }
    CHECK(cudaSetDevice(from), "choosing the views' device");
    cudaError_t error = cudaMalloc(&trial, sizeof(float[4]));
    if (error == cudaSuccess)
        error = cudaMemset(trial, 0, sizeof(float[4]));
    const cudaError_t back = cudaSetDevice(to);
    if (error == cudaSuccess && back == cudaSuccess)
        error = cudaMemcpyPeerAsync(self->planes[0], to, trial, from, 4, self->sharing);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(self->sharing);
    cudaFree(trial);
    CHECK(back, "choosing the device");
    CHECK(error, "copying from the device that simulates to the one that draws");
    return STATUS_OK;
}

static enum status open_staging(struct cuda_transfer *self)
{
    const size_t bytes = (self->params.count + 1) * 4 * sizeof(float);
    CHECK(cudaStreamCreateWithFlags(&self->loading, cudaStreamNonBlocking), "creating a stream");
    CHECK(cudaEventCreateWithFlags(&self->loaded, cudaEventDisableTiming | cudaEventBlockingSync),
          "creating an event");
    for (int i = 0; i < STAGED * self->params.sources; i++) {
        struct staged *staged = &self->staged[i / STAGED][i % STAGED];
        CHECK(cudaMallocHost((void **)&staged->host, bytes), "allocating page-locked memory");
        CHECK(cudaMalloc((void **)&staged->device, bytes), "allocating bodies");
    }
    return STATUS_OK;
}

static bool is_staged(const struct cuda_transfer *self)
{
    return self->params.views.memory == VIEW_HOST;
}

static enum status open_resources(struct cuda_transfer *self)
{
    const struct transfer_params *params = &self->params;
    CHECK(cudaSetDevice(params->gl_device), "choosing the device");
    CHECK(cudaStreamCreateWithFlags(&self->sharing, cudaStreamNonBlocking), "creating a stream");
    CHECK(cudaStreamCreateWithFlags(&self->reading, cudaStreamNonBlocking), "creating a stream");
    CHECK(cudaEventCreateWithFlags(&self->copied, cudaEventDisableTiming | cudaEventBlockingSync),
          "creating an event");
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++) {
        CHECK(cudaEventCreateWithFlags(&self->taken[slot], cudaEventDisableTiming),
              "creating an event");
        CHECK(cudaEventCreateWithFlags(&self->finished[slot],
                                       cudaEventDisableTiming | cudaEventBlockingSync),
              "creating an event");
        CHECK(cudaMalloc((void **)&self->planes[slot], params->layout.size),
              "allocating a picture");
    }
    enum status reached = STATUS_OK;
    if (is_staged(self))
        reached = open_staging(self);
    else if (params->views.device != params->gl_device)
        reached = connect_views(self);
    if (reached != STATUS_OK)
        return reached;
    for (int i = 0; i < params->sources; i++) {
        const struct body_buffers *from = &params->bodies[i];
        const GLuint buffers[COLUMNS] = {
            [POSITION] = from->only_along ? 0 : from->position,
            [VELOCITY] = from->only_along ? 0 : from->velocity,
            [ORDER] = from->order,
            [ALONG_POSITION] = from->along.position,
            [ALONG_VELOCITY] = from->along.velocity,
            [ALONG_DISTANCE] = from->along.distance,
        };
        enum status status = STATUS_OK;
        for (int k = 0; k < COLUMNS && status == STATUS_OK; k++)
            if (buffers[k])
                status = share(&self->bodies[i][k], buffers[k]);
        if (status != STATUS_OK)
            return status;
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
    struct cuda_transfer *self = memory_new(1, sizeof *self);
    self->base.ops = &transfer_cuda;
    self->params = *params;
    self->drawn = -1;
    *out = &self->base;
    enum status status = open_resources(self);
    if (status != STATUS_OK)
        close_cuda(out);
    return status;
}

/* `first` floats into both. */
static enum status copy_part(struct cuda_transfer *self, cudaGraphicsResource_t resource,
                             const float *from, size_t first, size_t floats)
{
    const int gl_device = self->params.gl_device,
              device = is_staged(self) ? gl_device : self->params.views.device;
    const size_t bytes = floats * sizeof *from;
    void *to;
    size_t size;
    CHECK(cudaGraphicsResourceGetMappedPointer(&to, &size, resource), "mapping GL's body buffers");
    to = (float *)to + first;
    from += first;
    CHECK(device == gl_device
              ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, self->sharing)
              : cudaMemcpyPeerAsync(to, gl_device, from, device, bytes, self->sharing),
          "copying bodies to GL");
    return STATUS_OK;
}

static enum status copy_array(struct cuda_transfer *self, cudaGraphicsResource_t resource,
                              const float *from, size_t floats)
{
    return copy_part(self, resource, from, 0, floats);
}

/* Copies the order of the bodies that are drawn, and what is along it. */
static enum status copy_order(struct cuda_transfer *self, const struct view *view,
                              const cudaGraphicsResource_t *to)
{
    const struct transfer_params *params = &self->params;
    const struct transfer_range all = {0, view->count}, *drawn = params->drawn;
    const int count = drawn ? params->drawn_count : 1;
    enum status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const struct transfer_range *range = drawn ? &drawn[i] : &all;
        const struct {
            const float *from;
            size_t floats; /* per body */
        } rows[] = {
            [ORDER] = {(const float *)view->order, 1},
            [ALONG_POSITION] = {view->along.position, 4},
            [ALONG_VELOCITY] = {view->along.velocity, 4},
            [ALONG_DISTANCE] = {view->along.distance, 1},
        };
        for (int k = ORDER; k < COLUMNS && status == STATUS_OK; k++)
            status = copy_part(self, to[k], rows[k].from, range->first * rows[k].floats,
                               range->count * rows[k].floats);
    }
    return status;
}

static enum status copy_bodies(struct cuda_transfer *self, const struct view *view)
{
    enum status status = STATUS_OK;
    const bool staged = is_staged(self);
    if (staged)
        CHECK(cudaStreamWaitEvent(self->sharing, self->loaded, 0), "copying bodies to GL");
    for (int i = 0; i < self->params.sources && status == STATUS_OK; i++, view = view->next) {
        const struct column_names *names = &self->params.bodies[i].names;
        const cudaGraphicsResource_t *to = self->bodies[i];
        const float *position = staged ? self->staged[i][POSITION].device : view->position;
        const float *velocity = staged ? self->staged[i][VELOCITY].device : view->velocity;
        if (to[POSITION])
            status = copy_array(self, to[POSITION], position, 4 * view->count);
        if (status == STATUS_OK && to[VELOCITY])
            status = copy_array(self, to[VELOCITY], velocity, 4 * view->count);
        if (status == STATUS_OK && to[ORDER])
            status = copy_order(self, view, to);
        for (int k = 0; k < names->count && status == STATUS_OK; k++)
            if (to[COLUMNS + k])
                status = copy_array(self, to[COLUMNS + k], view_values(view, names->list[k]),
                                    view->count);
    }
    if (status == STATUS_OK)
        CHECK(cudaEventRecord(self->copied, self->sharing), "copying bodies to GL");
    return status;
}

/* Copies columns in host memory through GL, which must own its buffers; and checks that the rest is
 * there. */
static enum status put_columns(struct cuda_transfer *self, const struct view *view)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < self->params.sources && status == STATUS_OK; i++, view = view->next) {
        const struct body_buffers *bodies = &self->params.bodies[i];
        if (bodies->order)
            status = transfer_check_order(view);
        for (int k = 0; k < bodies->names.count && status == STATUS_OK; k++) {
            const struct view_column *column;
            cudaGraphicsResource_t *shared = &self->bodies[i][COLUMNS + k];
            if (transfer_skips_column(bodies, k))
                continue;
            status = transfer_find_column(view, bodies, k, &column);
            if (status == STATUS_OK && column->memory == VIEW_HOST)
                status = transfer_put_column(view, column, bodies->columns[k], &self->filled[i][k]);
            else if (status == STATUS_OK && !*shared)
                status = share(shared, bodies->columns[k]);
        }
    }
    return status;
}

static enum status copy_planes(struct cuda_transfer *self, int slot)
{
    const struct picture_layout *layout = &self->params.layout;
    for (int p = 0; p < layout->planes; p++) {
        cudaArray_t array;
        CHECK(cudaGraphicsSubResourceGetMappedArray(&array, self->packed[slot][p], 0, 0),
              "mapping GL's picture");
        CHECK(cudaMemcpy2DFromArrayAsync(self->planes[slot] + layout->plane[p].offset,
                                         layout->plane[p].stride, array, 0, 0,
                                         layout->plane[p].stride, layout->plane[p].rows,
                                         cudaMemcpyDeviceToDevice, self->sharing),
              "taking a picture from GL");
    }
    CHECK(cudaEventRecord(self->taken[slot], self->sharing), "taking a picture from GL");
    return STATUS_OK;
}

static enum status read_back(struct cuda_transfer *self, int slot)
{
    CHECK(cudaStreamWaitEvent(self->reading, self->taken[slot], 0), "reading a picture back");
    CHECK(cudaMemcpyAsync(self->target[slot], self->planes[slot], self->params.layout.size,
                          cudaMemcpyDeviceToHost, self->reading),
          "reading a picture back");
    CHECK(cudaEventRecord(self->finished[slot], self->reading), "reading a picture back");
    return STATUS_OK;
}

/* GL must not wait, with its memory mapped, for columns that are still computed. */
static enum status wait_for_columns(const struct cuda_transfer *self, const struct view *view)
{
    for (int i = 0; view && i < self->params.sources; i++, view = view->next)
        if (view->ready)
            CHECK(cudaEventSynchronize(view->ready), "waiting for the bodies");
    return STATUS_OK;
}

static enum status load(struct cuda_transfer *self, const struct staged *to, const float *from,
                        size_t count)
{
    const size_t bytes = count * 4 * sizeof *from;
    memcpy(to->host, from, bytes);
    CHECK(cudaMemcpyAsync(to->device, to->host, bytes, cudaMemcpyHostToDevice, self->loading),
          "copying bodies to the device");
    return STATUS_OK;
}

/* Starts copying a view in host memory, which may change afterwards. */
static enum status load_view(struct cuda_transfer *self, const struct view *view)
{
    enum status status = STATUS_OK;
    CHECK(cudaSetDevice(self->params.gl_device), "choosing the device");
    if (self->loads) { /* those of the frame before have left the host, and the device's memory */
        CHECK(cudaEventSynchronize(self->loaded), "copying bodies to the device");
        CHECK(cudaStreamWaitEvent(self->loading, self->copied, 0), "copying bodies to the device");
    }
    self->loads = true;
    for (int i = 0; i < self->params.sources && status == STATUS_OK; i++, view = view->next) {
        status = load(self, &self->staged[i][POSITION], view->position, view->count);
        if (status == STATUS_OK)
            status = load(self, &self->staged[i][VELOCITY], view->velocity, view->count);
    }
    if (status == STATUS_OK)
        CHECK(cudaEventRecord(self->loaded, self->loading), "copying bodies to the device");
    return status;
}

/* Copies the bodies into GL, unless `view` is NULL, and the picture that GL has drawn out of it. */
static enum status exchange(struct cuda_transfer *self, const struct view *view)
{
    cudaGraphicsResource_t shared[ATTRIBUTES * TRANSFER_SOURCES_MAX + PICTURE_PLANES_MAX];
    int count = 0;
    const int slot = self->drawn;
    CHECK(cudaSetDevice(self->params.gl_device), "choosing the device");
    enum status ready = wait_for_columns(self, view);
    if (ready == STATUS_OK && view)
        ready = put_columns(self, view);
    if (ready != STATUS_OK)
        return ready;
    for (int i = 0; view && i < ATTRIBUTES * self->params.sources; i++)
        if (self->bodies[i / ATTRIBUTES][i % ATTRIBUTES])
            shared[count++] = self->bodies[i / ATTRIBUTES][i % ATTRIBUTES];
    for (int p = 0; slot >= 0 && p < self->params.layout.planes; p++)
        shared[count++] = self->packed[slot][p];
    self->drawn = -1;
    CHECK(cudaGraphicsMapResources(count, shared, self->sharing), "mapping GL's memory");
    enum status status = slot >= 0 ? copy_planes(self, slot) : STATUS_OK;
    if (status == STATUS_OK && view)
        status = copy_bodies(self, view);
    if (status != STATUS_OK)
        return status;
    CHECK(cudaGraphicsUnmapResources(count, shared, self->sharing), "unmapping GL's memory");
    return slot >= 0 ? read_back(self, slot) : STATUS_OK;
}

static enum status upload(struct transfer *transfer, const struct view *view)
{
    struct cuda_transfer *self = (struct cuda_transfer *)transfer;
    const enum status status = is_staged(self) ? load_view(self, view) : STATUS_OK;
    return status == STATUS_OK ? exchange(self, view) : status;
}

static enum status uploaded(struct transfer *transfer)
{
    struct cuda_transfer *self = (struct cuda_transfer *)transfer;
    if (!is_staged(self))
        CHECK(cudaEventSynchronize(self->copied), "copying bodies to GL");
    return STATUS_OK;
}

static enum status start(struct transfer *transfer, int slot, uint8_t *data)
{
    struct cuda_transfer *self = (struct cuda_transfer *)transfer;
    self->target[slot] = data;
    self->drawn = slot;
    glFlush(); /* otherwise the GPU starts only when the next frame comes */
    return STATUS_OK;
}

static enum status wait(struct transfer *transfer, int slot)
{
    struct cuda_transfer *self = (struct cuda_transfer *)transfer;
    enum status status = self->drawn == slot ? exchange(self, NULL) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
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

enum status transfer_fetch(const struct view *view, const float *from, size_t floats, float *to)
{
    CHECK(cudaSetDevice(view->device), "choosing the device");
    if (view->ready)
        CHECK(cudaEventSynchronize(view->ready), "copying bodies to the host");
    CHECK(cudaMemcpy(to, from, floats * sizeof *to, cudaMemcpyDeviceToHost),
          "copying bodies to the host");
    return STATUS_OK;
}

const struct transfer_ops transfer_cuda = {
    .description = "pictures through CUDA-GL interop",
    .open = open_cuda,
    .close = close_cuda,
    .upload = upload,
    .uploaded = uploaded,
    .start = start,
    .wait = wait,
    .allocate = allocate,
    .release = release,
};
