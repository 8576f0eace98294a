#include "sim/solver/cuda/near.h"

void cuda_near_close(struct cuda *cuda)
{
    if (!cuda->near_lent)
        (void)cudaFree(cuda->near_work);
    (void)cudaFree(cuda->near_last);
    (void)cudaFree(cuda->near_bodies);
    cuda->near_work = NULL;
    cuda->near_last = NULL;
    cuda->near_bodies = NULL;
}

/* Evaluations and searches take turns on the solver's stream. */
static int take_work(struct cuda *cuda)
{
    const struct force *force = cuda->solver.force;
    cuda->near_lent = force->work_spare >= cuda->near_plan.bytes;
    if (!cuda->near_lent)
        return cudaMalloc(&cuda->near_work, cuda->near_plan.bytes);
    cuda->near_work = (char *)force->work + force->work_bytes - force->work_spare;
    return cudaSuccess;
}

enum status cuda_near_open(struct cuda *cuda)
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
    if (error == cudaSuccess && request->bodies) {
        const size_t bytes = count * sizeof *request->bodies;
        error = cudaMalloc((void **)&cuda->near_bodies, bytes);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(cuda->near_bodies, request->bodies, bytes,
                                    cudaMemcpyHostToDevice, cuda->stream);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(cuda->stream);
    }
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

enum status cuda_near_find(struct cuda *cuda, struct view *view)
{
    float *distance = view_values(view, COLUMN_DISTANCE);
    float *dispersion = view_values(view, COLUMN_DISPERSION);
    enum status status =
        cuda_check(cuda,
                   neighbours_cuda_find(&cuda->near_plan, cuda->solver.count, cuda->position,
                                        cuda->near_bodies, cuda->near_last, cuda->near_work,
                                        distance, cuda->stream),
                   "find neighbours");
    if (status != STATUS_OK || !dispersion)
        return status;
    return cuda_check(cuda,
                      neighbours_cuda_dispersion(&cuda->near_plan, cuda->solver.count,
                                                 view->velocity, cuda->near_bodies, cuda->near_work,
                                                 distance, dispersion, cuda->stream),
                      "find the dispersion of neighbours");
}
