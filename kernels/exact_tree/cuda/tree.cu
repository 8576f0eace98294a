/* An evaluation, stage by stage. */
#include "kernels/exact_tree/cuda/tree.h"
#include "kernels/exact_tree/cuda/space.cuh"

extern "C" int exact_tree_cuda_accelerate(const struct exact_tree_cuda_plan *plan,
                                          const struct exact_tree_rule *first,
                                          const struct exact_tree_rule *rule, const double *rows,
                                          const double *halves, double softening, void *work,
                                          double *acceleration, void *on)
{
    size_t bytes;
    const struct exact_tree_space space = exact_tree_space_of(plan, work, &bytes);
    cudaStream_t stream = (cudaStream_t)on;
    int error = exact_tree_cuda_sort(plan, &space, rows, halves, acceleration, softening, stream);
    if (error == cudaSuccess)
        error = exact_tree_cuda_fill(plan, &space, stream);
    if (error == cudaSuccess)
        error = exact_tree_cuda_walk(plan, &space, EXACT_TREE_FIRST, first, acceleration, stream);
    if (error == cudaSuccess)
        error = exact_tree_cuda_census(plan, &space, acceleration, stream);
    if (error == cudaSuccess)
        error = exact_tree_cuda_turn(exact_tree_groups(plan->bodies), &space.turns, stream);
    if (error == cudaSuccess)
        error = exact_tree_cuda_walk(plan, &space, EXACT_TREE_BY_ERROR, rule, acceleration, stream);
    return error;
}

extern "C" int exact_tree_cuda_potential(const struct exact_tree_cuda_plan *plan,
                                         const struct exact_tree_rule *rule, const double *rows,
                                         const double *halves, double softening, void *work,
                                         double *out, void *on)
{
    size_t bytes;
    const struct exact_tree_space space = exact_tree_space_of(plan, work, &bytes);
    cudaStream_t stream = (cudaStream_t)on;
    int error = exact_tree_cuda_sort(plan, &space, rows, halves, NULL, softening, stream);
    if (error == cudaSuccess)
        error = exact_tree_cuda_fill(plan, &space, stream);
    if (error == cudaSuccess)
        error = exact_tree_cuda_walk(plan, &space, EXACT_TREE_POTENTIAL, rule, out, stream);
    return error;
}

extern "C" int exact_tree_cuda_last(const struct exact_tree_cuda_plan *plan, const void *work,
                                    struct exact_tree_cuda_work *out, void *stream)
{
    size_t bytes;
    const struct exact_tree_space space = exact_tree_space_of(plan, (void *)work, &bytes);
    struct exact_tree_head head;
    cudaError_t error = cudaStreamSynchronize((cudaStream_t)stream);
    if (error == cudaSuccess)
        error = cudaMemcpy(&head, space.head, sizeof head, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess)
        *out = head.work;
    return error;
}

extern "C" int exact_tree_cuda_plan(size_t bodies, bool mixed, int multiprocessors,
                                    struct exact_tree_cuda_plan *plan)
{
    const size_t groups = exact_tree_groups(bodies);
    const size_t most = (size_t)multiprocessors * WALKERS;
    *plan = {};
    plan->bodies = bodies;
    plan->mixed = mixed;
    plan->warps = (unsigned)(groups < most ? groups : most);
    int error = exact_tree_cuda_scratch(bodies, &plan->sort_bytes);
    (void)exact_tree_space_of(plan, NULL, &plan->bytes);
    return error;
}
