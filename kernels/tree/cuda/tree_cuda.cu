/* An evaluation, stage by stage. */
#include "kernels/tree/cuda/space.cuh"
#include "kernels/tree/cuda/tree_cuda.h"

#include <math.h>
#include <type_traits>

/* Builds the lists and evaluates them. */
static int walk(const struct tree_cuda_plan *plan, const struct tree_space *space,
                struct tree_cuda_rule rule, bool first, bool potential, double *out,
                cudaStream_t stream)
{
    int error = tree_cuda_lists(plan, space, &rule, first, stream);
    if (error == cudaSuccess)
        error = tree_cuda_join(plan, space, first, potential, stream);
    if (error == cudaSuccess)
        error = tree_cuda_meet(plan, space, rule.merged2, first, potential, out, stream);
    return error;
}

static int fill(const struct tree_cuda_plan *plan, const struct tree_space *space,
                const struct tree_cuda_rule *rule, const double *rows, const double *halves,
                const double *last, bool again, cudaStream_t stream)
{
    int error = tree_cuda_build(plan, space, rule, last, again, stream);
    if (error == cudaSuccess)
        error = tree_cuda_moments(plan, space, rows, halves, rule->share, again, stream);
    if (error == cudaSuccess)
        error = tree_cuda_waves(plan, space, again, stream);
    return error;
}

/* If no accelerations are known, a first evaluation provides them, and the tree is built again.
 * Whether they are is seen on the device; 25 launches that do nothing are left out if the caller
 * knows. */
extern "C" int tree_cuda_accelerate(const struct tree_cuda_plan *plan,
                                    const struct tree_cuda_rule *rule, const double *rows,
                                    const double *halves, double softening,
                                    struct tree_cuda_sinks sinks, bool known, void *work,
                                    double *acceleration, void *on)
{
    size_t bytes;
    struct tree_space space = tree_space_of(plan, work, &bytes);
    cudaStream_t stream = (cudaStream_t)on;
    struct tree_cuda_rule by_error = *rule;
    by_error.opening = 0;
    int error = tree_cuda_sort(plan, &space, rows, halves, acceleration, softening, stream);
    if (error == cudaSuccess && sinks.rungs)
        error = tree_cuda_count_sinks(plan, &space, sinks.rungs, sinks.from, stream);
    if (!sinks.rungs)
        space.sinks_before = NULL;
    if (error == cudaSuccess)
        error = fill(plan, &space, rule, rows, halves, acceleration, false, stream);
    if (error == cudaSuccess && !known)
        error = walk(plan, &space, *rule, true, false, acceleration, stream);
    if (error == cudaSuccess && !known)
        error = tree_cuda_survey(plan, &space, rows, acceleration, stream);
    if (error == cudaSuccess && !known)
        error = fill(plan, &space, rule, rows, halves, acceleration, true, stream);
    if (error == cudaSuccess)
        error = walk(plan, &space, by_error, false, false, acceleration, stream);
    return error;
}

extern "C" int tree_cuda_potential(const struct tree_cuda_plan *plan,
                                   const struct tree_cuda_rule *rule, const double *rows,
                                   const double *halves, double softening, void *work, double *out,
                                   void *on)
{
    size_t bytes;
    struct tree_space space = tree_space_of(plan, work, &bytes);
    cudaStream_t stream = (cudaStream_t)on;
    space.sinks_before = NULL;
    int error = tree_cuda_sort(plan, &space, rows, halves, NULL, softening, stream);
    if (error == cudaSuccess)
        error = fill(plan, &space, rule, rows, halves, NULL, false, stream);
    if (error == cudaSuccess)
        error = walk(plan, &space, *rule, false, true, out, stream);
    return error;
}

extern "C" int tree_cuda_last(const struct tree_cuda_plan *plan, const void *work,
                              struct tree_cuda_work *out, void *stream)
{
    size_t bytes;
    const struct tree_space space = tree_space_of(plan, work, &bytes);
    struct tree_head head;
    cudaError_t error = cudaStreamSynchronize((cudaStream_t)stream);
    if (error == cudaSuccess)
        error = cudaMemcpy(&head, space.head, sizeof head, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess) {
        *out = head.work;
        out->entries = head.pool;
    }
    return error;
}

/* How much longer lists are than with an error of 1.5e-4, and how many more cells there are. */
static double more(double error, double power)
{
    return pow(fmax(1.5e-4 / error, 1), power);
}

/* Capacity of the lists, in entries: twice the number needed for galaxies, spheres, cubes and
 * clusters of a million bodies, 1.2 times that where softenings are mixed, because galaxies with 8
 * classes of softening need 1.5 times as many. More bodies need fewer entries each; for few bodies,
 * enough for every leaf to meet every leaf. */
static size_t entries(size_t bodies, double error, bool mixed)
{
    enum { FEW = 1 << 25, MANY = 1 << 30 };
    const double n = (double)bodies, kinds = mixed ? 1.2 : 1,
                 fewer = fmin(pow(1048576 / n, 0.22), 1);
    const double lists = fmax(36, 92 * fmin(pow(1.5e-4 / error, 0.8), 1)) * more(error, 1.4);
    const double usual = fmin(n * lists * kinds * fewer, fmax(n * 40, MANY));
    return (size_t)fmax(fmin(usual, n * n), fmin(n * n / 16, FEW));
}

extern "C" int tree_cuda_plan(size_t bodies, double wanted, int order, bool mixed, bool spline,
                              int multiprocessors, struct tree_cuda_plan *plan)
{
    *plan = {};
    plan->bodies = bodies;
    plan->order = order;
    plan->mixed = mixed;
    plan->spline = spline;
    plan->cells = (unsigned)((double)bodies * fmin(more(wanted, 0.4), 3) / 6) + 16384;
    plan->lone = (unsigned)(bodies / 4 + 4096);
    plan->met = (unsigned)(16384 * more(wanted, 1));
    plan->multiprocessors = (unsigned)multiprocessors;
    plan->blocks = (unsigned)multiprocessors * 8;
    /* 256 left a third of the time of a million bodies to the last warps */
    const unsigned unit = bodies < (1 << 22) ? 32 : 128;
    for (size_t limit = bodies / 8; limit > unit && plan->waves < WAVES; limit /= 2)
        plan->limit[plan->waves++] = (unsigned)limit;
    plan->limit[plan->waves++] = unit;
    plan->pool = entries(bodies, wanted, mixed) + (size_t)multiprocessors * WALKS * 2 * EXTENT;
    cudaError_t error = tree_cuda_scratch(bodies, &plan->sort_bytes, &plan->scan_bytes);
    const size_t lasting = tree_space_of(plan, NULL, &plan->bytes).lasting;
    plan->spare = plan->bytes - lasting;
    return error;
}

/* The capacity for cells of a wave: at most 8 below each larger cell, and the number of larger
 * cells per level is bounded. */
static size_t wave_room(const struct tree_cuda_plan *plan, unsigned wave)
{
    if (wave + 1 == plan->waves)
        return plan->cells;
    size_t most = 8 * (size_t)DEPTHS * (plan->bodies / plan->limit[wave] + 1);
    return most < plan->cells ? most : plan->cells;
}

struct tree_space tree_space_of(const struct tree_cuda_plan *plan, const void *work, size_t *bytes)
{
    struct tree_space space = {};
    const size_t n = plan->bodies, cells = plan->cells;
    const size_t row = sizeof(float) * (size_t)row_of(plan->order);
    const size_t scratch =
        plan->sort_bytes > plan->scan_bytes ? plan->sort_bytes : plan->scan_bytes;
    size_t end = 0;
    auto take = [&](auto **pointer, size_t size) {
        end = (end + 255) / 256 * 256;
        *pointer = (std::remove_reference_t<decltype(**pointer)> *)((char *)work + end);
        end += size;
    };
    /* First, because potentials may overwrite the keys, which only building reads. */
    static_assert(sizeof *space.key[1] == sizeof(double), "room for a potential per body");
    take(&space.key[1], n * sizeof *space.key[1]);
    take(&space.head, sizeof *space.head);
    take(&space.share, SURVEYORS * sizeof *space.share);
    take(&space.body[1], n * sizeof *space.body[1]);
    take(&space.sinks_before, (n + 1) * sizeof *space.sinks_before);
    take(&space.relative, n * sizeof *space.relative);
    take(&space.half, plan->mixed ? n * sizeof *space.half : 0);
    take(&space.cell, cells * sizeof *space.cell);
    take(&space.parent, cells * sizeof *space.parent);
    take(&space.arrived, cells * sizeof *space.arrived);
    for (int k = 0; k < 4; k++)
        take(&space.place[k], cells * sizeof *space.place[k]);
    take(&space.moments, cells * row);
    take(&space.local, cells * row);
    take(&space.kept, cells * sizeof *space.kept);
    for (unsigned w = 0; w < plan->waves; w++)
        take(&space.wave[w], wave_room(plan, w) * sizeof **space.wave);
    take(&space.root, sizeof *space.root);
    take(&space.near, (size_t)plan->multiprocessors * WALKS * NEAR * sizeof *space.near);
    take(&space.join, cells * sizeof *space.join);
    take(&space.meet, tree_meets_room(plan) * sizeof *space.meet);
    take(&space.lone, plan->lone * sizeof *space.lone);
    take(&space.given, plan->lone * sizeof *space.given);

    /* lists reuse the memory that only building needs */
    const size_t built = space.lasting = (end + 255) / 256 * 256;
    take(&space.key[0], n * sizeof *space.key[0]);
    take(&space.body[0], n * sizeof *space.body[0]);
    take(&space.depth, n * sizeof *space.depth);
    take(&space.counts, (DEPTHS * (size_t)blocks_for(n) + 1) * sizeof *space.counts);
    for (int c = 0; c < 3; c++)
        take(&space.at[c], n * sizeof *space.at[c]);
    take(&space.size, n * sizeof *space.size);
    char *rest = NULL;
    take(&rest, scratch);
    space.scratch = rest;
    const size_t building = end;
    end = built;
    take(&space.pool, plan->pool * sizeof *space.pool);
    *bytes = end > building ? end : building;
    return space;
}
