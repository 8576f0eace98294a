#include "sim/solver/cuda/view.h"
#include "base/memory.h"
#include "kernels/steps/state.h"
#include "sim/solver/cuda/near.h"
#include "sim/solver/cuda/state.h"

#include <stdlib.h>

void cuda_view_destroy(struct solver *solver, struct view **view)
{
    if (!*view)
        return;
    (void)cudaSetDevice(cuda_of(solver)->device);
    (void)cudaFree((*view)->position);
    (void)cudaFree((*view)->velocity);
    for (int k = 0; k < (*view)->column_count; k++)
        (void)cudaFree((*view)->columns[k].value);
    (void)cudaFreeHost((*view)->sample);
    if ((*view)->ready)
        (void)cudaEventDestroy((*view)->ready);
    free(*view);
    *view = NULL;
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
    if (error == cudaSuccess && cuda->near_stream)
        error = cudaEventCreateWithFlags((cudaEvent_t *)&view->ready,
                                         cudaEventDisableTiming | cudaEventBlockingSync);
    if (error == cudaSuccess && solver->samples)
        error = cudaMallocHost((void **)&view->sample, 2 * VIEW_SAMPLE_MOST * sizeof(float[4]));
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
    return status == STATUS_OK ? cuda_finish(cuda, "fill a view") : status;
}
