#include "base/status.h"
#include "kernels/pairs/cuda/pairs.h"
#include "kernels/tensor/tensor.h"
#include "sim/gravity/force.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

struct tensor {
    struct force force;
    struct tensor_cuda_plan plan;
    bool spline;
};

static struct tensor *tensor_of(struct force *force)
{
    return (struct tensor *)force;
}

static bool runs(int device)
{
    return tensor_cuda_runs(device) == cudaSuccess;
}

static enum status open_tensor(struct force *force, const struct force_request *request)
{
    struct tensor_cuda_plan *plan = &tensor_of(force)->plan;
    enum status status = tensor_takes(request);
    if (status != STATUS_OK)
        return status;
    if (strcmp(request->kernel, "auto") != 0)
        return status_fail(STATUS_DEVICE, "there is no CUDA kernel '%s'; choose auto",
                           request->kernel);
    if (!runs(request->device))
        return status_fail(STATUS_DEVICE, "the force tensor needs compute capability 8.0, which "
                                          "this device does not have; set simulation.force to "
                                          "fast");
    int error = tensor_cuda_plan(request->bodies, plan);
    if (error != cudaSuccess)
        return status_fail(STATUS_RUNTIME, "CUDA could not plan the forces of %zu bodies: %s",
                           request->bodies, cudaGetErrorString((cudaError_t)error));
    force->interactions = (double)request->bodies * (double)request->bodies;
    force->repeatable = true;
    force->work_bytes = plan->bytes;
    force->name = force->ops->name;
    tensor_of(force)->spline = request->spline;
    snprintf(force->kernel, sizeof force->kernel, "all pairs, %s on matrix units, tiles of %u%s",
             force->name, plan->warps * TENSOR_UNIT,
             softening_words(request->spline, request->mixed));
    return STATUS_OK;
}

static int prepare(struct force *force, const struct sources *s, void *stream)
{
    return tensor_cuda_prepare(&tensor_of(force)->plan, s->rows, FORCE_TENSOR_HEAVY, force->work,
                               stream);
}

static int accelerate(struct force *force, const struct sources *s, double (*out)[3], void *stream)
{
    const struct tensor *tensor = tensor_of(force);
    return tensor_cuda_accelerate(&tensor->plan, s->rows, s->softening, s->halves, tensor->spline,
                                  force->work, out[0], stream);
}

static int potential(struct force *force, const struct sources *s, double *out, void *stream)
{
    if (tensor_of(force)->spline)
        return force_spline_double_potential(s->bodies, s->rows, s->halves, out, stream);
    return force_double_potential(s->bodies, s->rows, s->softening, s->halves, out, stream);
}

const struct force_path tensor_cuda = {
    .backend = "cuda",
    .size = sizeof(struct tensor),
    .runs = runs,
    .open = open_tensor,
    .prepare = prepare,
    .accelerate = accelerate,
    .potential = potential,
};
