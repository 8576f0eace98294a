/* An evaluation, stage by stage. */
#include "kernels/exact_tree/cuda/space.cuh"
#include "kernels/exact_tree/cuda/exact_tree_cuda.h"

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

/* Allocates the next part of a block of memory in which `used` bytes are taken. */
template <class ITEM> static ITEM *part(char *work, size_t *used, size_t items)
{
    ITEM *at = work ? (ITEM *)(work + *used) : NULL;
    *used += (items * sizeof(ITEM) + 255) / 256 * 256;
    return at;
}

struct exact_tree_space exact_tree_space_of(const struct exact_tree_cuda_plan *plan, void *work,
                                            size_t *bytes)
{
    struct exact_tree_space space = {};
    char *base = (char *)work;
    const size_t count = plan->bodies;
    *bytes = 0;
    (void)part<double>(base, bytes, count);
    space.head = part<exact_tree_head>(base, bytes, 1);
    space.share = part<exact_tree_share>(base, bytes, SURVEYORS);
    for (int k = 0; k < 2; k++) {
        space.key[k] = part<unsigned long long>(base, bytes, count);
        space.order[k] = part<unsigned>(base, bytes, count);
    }
    space.tree.bodies = (uint32_t)count;
    space.tree.order = space.order[1];
    space.tree.body = part<exact_tree_body>(base, bytes, count);
    space.tree.place = part<exact_tree_place>(base, bytes, count);
    space.tree.moments = part<exact_tree_moments>(base, bytes, count);
    space.tree.span = part<exact_tree_span>(base, bytes, count);
    space.tree.box = part<exact_tree_box>(base, bytes, count);
    space.tree.thirds = part<exact_tree_thirds>(base, bytes, count);
    space.tree.wide = part<uint8_t>(base, bytes, count);
    space.parent = part<unsigned>(base, bytes, count);
    space.arrived = part<unsigned>(base, bytes, count);
    space.turns.cost = part<float>(base, bytes, exact_tree_groups(count));
    space.turns.spare = part<float>(base, bytes, exact_tree_groups(count));
    space.turns.index = part<unsigned>(base, bytes, exact_tree_groups(count));
    space.turns.turn = part<unsigned>(base, bytes, exact_tree_groups(count));
    space.stack = part<unsigned>(base, bytes, (size_t)plan->warps * EXACT_TREE_STACK);
    space.scratch = part<char>(base, bytes, plan->sort_bytes);
    space.turns.scratch = space.scratch;
    space.turns.scratch_bytes = plan->sort_bytes;
    return space;
}
