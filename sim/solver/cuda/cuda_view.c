#include "sim/solver/cuda/cuda_state.h"

#include "base/memory.h"
#include "kernels/steps/device_state.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)VIEW_BLOCK == (int)NEIGHBOURS_CUDA_BLOCK, "bodies close together");
_Static_assert((int)SOLVER_ORDERED_PARTS <= (int)NEIGHBOURS_CUDA_PARTS, "parts of an order");

/* Below this number of bodies a copy of their positions and memory for the search cost little. */
enum { BESIDE = 1 << 22 };

void cuda_near_close(struct cuda *cuda)
{
    if (cuda->near_stream) {
        (void)cudaStreamSynchronize(cuda->near_stream);
        (void)cudaStreamDestroy(cuda->near_stream);
    }
    if (cuda->near_begun)
        (void)cudaEventDestroy(cuda->near_begun);
    if (cuda->near_done)
        (void)cudaEventDestroy(cuda->near_done);
    (void)cudaFree(cuda->near_position);
    cuda->near_stream = NULL;
    cuda->near_begun = cuda->near_done = NULL;
    cuda->near_position = NULL;
    if (!cuda->near_lent)
        (void)cudaFree(cuda->near_work);
    (void)cudaFree(cuda->near_last);
    (void)cudaFree(cuda->near_bodies);
    (void)cudaFree(cuda->near_starts);
    cuda->near_work = NULL;
    cuda->near_last = NULL;
    cuda->near_bodies = NULL;
    cuda->near_starts = NULL;
}

static int open_beside(struct cuda *cuda)
{
    int least = 0, greatest = 0;
    int error = cudaDeviceGetStreamPriorityRange(&least, &greatest);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithPriority(&cuda->near_stream, cudaStreamNonBlocking, least);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&cuda->near_begun, cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&cuda->near_done, cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&cuda->near_position, cuda->solver.count * sizeof(double[3]));
    if (error == cudaSuccess)
        error = cudaMalloc(&cuda->near_work, cuda->near_plan.bytes);
    return error;
}

/* With many bodies, evaluations and searches take turns on the solver's stream, in one memory. */
static int take_work(struct cuda *cuda)
{
    const struct force *force = cuda->solver.force;
    if (cuda->solver.count < BESIDE)
        return open_beside(cuda);
    cuda->near_lent = force->work_spare >= cuda->near_plan.bytes;
    if (!cuda->near_lent)
        return cudaMalloc(&cuda->near_work, cuda->near_plan.bytes);
    cuda->near_work = (char *)force->work + force->work_bytes - force->work_spare;
    return cudaSuccess;
}

static int take_numbers(struct cuda *cuda, unsigned **out, const uint32_t *numbers, size_t count)
{
    const size_t bytes = count * sizeof *numbers;
    int error = cudaMalloc((void **)out, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(*out, numbers, bytes, cudaMemcpyHostToDevice, cuda->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(cuda->stream);
    return error;
}

/* Allocates the device memory for the search, unless it is allocated already. STATUS_RUNTIME: out
 * of memory. */
static enum status cuda_near_open(struct cuda *cuda)
{
    const struct solver_near *request = &cuda->solver.near;
    const size_t count = request->bodies ? request->count : cuda->solver.count;
    const size_t last = count * sizeof *cuda->near_last;
    if (cuda->near_work)
        return STATUS_OK;
    int error = neighbours_cuda_plan(count, request->k, &cuda->near_plan);
    if (error == cudaSuccess)
        error = take_work(cuda);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&cuda->near_last, last);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(cuda->near_last, 0, last, cuda->stream);
    if (error == cudaSuccess && request->bodies)
        error = take_numbers(cuda, &cuda->near_bodies, request->bodies, count);
    if (error == cudaSuccess && solver_orders_views(&cuda->solver))
        error = take_numbers(cuda, &cuda->near_starts, request->starts, request->parts);
    if (error == cudaSuccess)
        return STATUS_OK;
    cuda_near_close(cuda);
    (void)cudaGetLastError();
    return status_fail(STATUS_RUNTIME,
                       "%s has no room for the neighbours of %zu bodies, %zu MiB (%s); ask for "
                       "fewer bodies with -n",
                       cuda->solver.device, count, (cuda->near_plan.bytes + last) >> 20,
                       cudaGetErrorString((cudaError_t)error));
}

static enum status search(struct cuda *cuda, struct view *view, const double *position,
                          cudaStream_t stream)
{
    float *distance = view_values(view, COLUMN_DISTANCE);
    float *dispersion = view_values(view, COLUMN_DISPERSION);
    enum status status = cuda_check(
        cuda,
        neighbours_cuda_find(&cuda->near_plan, cuda->solver.count, position, cuda->near_bodies,
                             cuda->near_last, cuda->near_work, distance, stream),
        "find neighbours");
    if (status == STATUS_OK && dispersion)
        status = cuda_check(cuda,
                            neighbours_cuda_dispersion(
                                &cuda->near_plan, cuda->solver.count, view->velocity,
                                cuda->near_bodies, cuda->near_work, distance, dispersion, stream),
                            "find the dispersion of neighbours");
    if (status != STATUS_OK || !view->order)
        return status;
    const struct view_along *along = &view->along;
    return cuda_check(
        cuda,
        neighbours_cuda_order(
            &cuda->near_plan, cuda->near_bodies, cuda->near_starts, cuda->solver.near.parts,
            cuda->near_work,
            &(struct neighbours_cuda_rows){view->position, view->velocity, distance}, view->order,
            &(struct neighbours_cuda_rows){along->position, along->velocity, along->distance},
            stream),
        "order bodies for drawing");
}

/* Makes the solver's stream wait for the last search, which may still read the last view. */
static enum status cuda_near_wait(struct cuda *cuda)
{
    if (!cuda->near_stream)
        return STATUS_OK;
    return cuda_check(cuda, cudaStreamWaitEvent(cuda->stream, cuda->near_done, 0),
                      "find neighbours");
}

/* Launches the search; the results go into the view's COLUMN_DISTANCE and, if it has one, its
 * COLUMN_DISPERSION. */
static enum status cuda_near_find(struct cuda *cuda, struct view *view)
{
    if (!cuda->near_stream)
        return search(cuda, view, cuda->position, cuda->stream);
    int error =
        cudaMemcpyAsync(cuda->near_position, cuda->position, cuda->solver.count * sizeof(double[3]),
                        cudaMemcpyDeviceToDevice, cuda->stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(cuda->near_begun, cuda->stream);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(cuda->near_stream, cuda->near_begun, 0);
    enum status status = cuda_check(cuda, error, "find neighbours");
    if (status == STATUS_OK)
        status = search(cuda, view, cuda->near_position, cuda->near_stream);
    if (status != STATUS_OK)
        return status;
    error = cudaEventRecord(cuda->near_done, cuda->near_stream);
    if (error == cudaSuccess)
        error = cudaEventRecord((cudaEvent_t)view->ready, cuda->near_stream);
    return cuda_check(cuda, error, "find neighbours");
}

void cuda_view_destroy(struct solver *solver, struct view **view)
{
    if (!*view)
        return;
    (void)cudaSetDevice(cuda_of(solver)->device);
    (void)cudaFree((*view)->position);
    (void)cudaFree((*view)->velocity);
    (void)cudaFree((*view)->order);
    (void)cudaFree((*view)->along.position);
    (void)cudaFree((*view)->along.velocity);
    (void)cudaFree((*view)->along.distance);
    for (int k = 0; k < (*view)->column_count; k++)
        (void)cudaFree((*view)->columns[k].value);
    (void)cudaFreeHost((*view)->sample);
    (void)cudaFreeHost((*view)->watched);
    if ((*view)->ready)
        (void)cudaEventDestroy((*view)->ready);
    free(*view);
    *view = NULL;
}

static int create_order(struct view *view, size_t count)
{
    struct view_along *along = &view->along;
    int error = cudaMalloc((void **)&view->order, count * sizeof *view->order);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&along->position, count * sizeof(float[4]));
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&along->velocity, count * sizeof(float[4]));
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&along->distance, count * sizeof *along->distance);
    return error;
}

enum status cuda_view_create(struct solver *solver, struct view **out)
{
    struct cuda *cuda = cuda_of(solver);
    size_t bytes = solver->count * sizeof(float[4]);
    *out = NULL;
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK && column_names_have(&solver->columns, COLUMN_DISTANCE))
        status = cuda_near_open(cuda);
    if (status != STATUS_OK)
        return status;
    struct view *view = memory_new(1, sizeof *view);
    *view = (struct view){.memory = VIEW_CUDA, .device = cuda->device, .count = solver->count};
    int error = cudaMalloc((void **)&view->position, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&view->velocity, bytes);
    for (int k = 0; k < solver->columns.count && error == cudaSuccess; k++) {
        struct view_column *column = &view->columns[view->column_count++];
        *column = (struct view_column){.name = solver->columns.list[k], .memory = VIEW_CUDA};
        error = cudaMalloc((void **)&column->value, solver->count * sizeof *column->value);
    }
    if (error == cudaSuccess && cuda->near_starts)
        error = create_order(view, solver->count);
    if (error == cudaSuccess && cuda->near_stream)
        error = cudaEventCreateWithFlags((cudaEvent_t *)&view->ready,
                                         cudaEventDisableTiming | cudaEventBlockingSync);
    if (error == cudaSuccess && solver->samples)
        error = cudaMallocHost((void **)&view->sample, 2 * VIEW_SAMPLE_MOST * sizeof(float[4]));
    if (error == cudaSuccess && solver->watched_count > 0)
        error = cudaMallocHost((void **)&view->watched,
                               solver->watched_count *
                                   (sizeof *view->watched + sizeof *solver->watched));
    if (error != cudaSuccess) {
        cuda_view_destroy(solver, &view);
        (void)cudaGetLastError();
        return status_fail(STATUS_RUNTIME,
                           "%s has no room for a view of %zu bodies, %zu MiB (%s); ask for fewer "
                           "bodies with -n",
                           solver->device, solver->count, 2 * bytes >> 20,
                           cudaGetErrorString((cudaError_t)error));
    }
    *out = view;
    return STATUS_OK;
}

enum status cuda_view_read(struct solver *solver, const float *from, size_t count, float *to)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_begin(cuda);
    if (status == STATUS_OK)
        status = cuda_near_wait(cuda);
    return status == STATUS_OK ? cuda_fetch(cuda, to, from, count * sizeof *to, "read a view")
                               : status;
}

enum status cuda_view_fill(struct solver *solver, struct view *view)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_begin(cuda);
    if (status == STATUS_OK)
        status = cuda_near_wait(cuda);
    if (status == STATUS_OK)
        status = cuda_check(cuda,
                            state_cuda_view(solver->count, cuda->number, cuda->rows, cuda->order,
                                            cuda->position, cuda->velocity, cuda->acceleration,
                                            view->position, view->velocity,
                                            view_values(view, COLUMN_ACCELERATION), cuda->stream),
                            "fill a view");
    if (status == STATUS_OK && view_values(view, COLUMN_DISTANCE))
        status = cuda_near_find(cuda, view);
    if (status == STATUS_OK && view->sample)
        status = cuda_check(cuda,
                            state_cuda_sample(solver->count, view_sample_stride(solver->count),
                                              view->position, view->sample, cuda->stream),
                            "fill a view's sample");
    if (status == STATUS_OK && view->sample)
        status = cuda_check(cuda,
                            state_cuda_sample(solver->count, view_sample_stride(solver->count),
                                              view->velocity,
                                              (float *)view_sample_velocity(view, 0), cuda->stream),
                            "fill a view's sample");
    if (view->watched) /* the numbers, which the device reads and which may have changed */
        memcpy(view->watched + solver->watched_count, solver->watched,
               solver->watched_count * sizeof *solver->watched);
    if (status == STATUS_OK && view->watched)
        status = cuda_check(
            cuda,
            state_cuda_pick(solver->watched_count,
                            (const uint64_t *)(view->watched + solver->watched_count),
                            view->position, view->velocity, view->watched[0], cuda->stream),
            "fill a view's watched bodies");
    return status == STATUS_OK ? cuda_finish(cuda, "fill a view") : status;
}
