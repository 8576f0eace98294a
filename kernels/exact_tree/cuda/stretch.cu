/* The bodies of a rank's stretch: their state, their order along the curve, and what leaves and
 * arrives. Compiled without contraction. */
#include "kernels/exact_tree/cuda/stretch_cuda.h"
#include "kernels/exact_tree/cuda/space.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

typedef unsigned long long key_type;

static __device__ __forceinline__ size_t thread(void)
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}

/* ---- the order along the curve ---- */

static cudaError_t sort_numbers(void *scratch, size_t *bytes, const uint32_t *number,
                                uint32_t *sorted, const uint32_t *index, uint32_t *order,
                                size_t count, int bits, cudaStream_t stream)
{
    return cub::DeviceRadixSort::SortPairs(scratch, *bytes, number, sorted, index, order,
                                           (int)count, 0, bits, stream);
}

static cudaError_t sort_keys(void *scratch, size_t *bytes, const uint64_t *key, uint64_t *sorted,
                             const uint32_t *index, uint32_t *order, size_t count,
                             cudaStream_t stream)
{
    return cub::DeviceRadixSort::SortPairs(scratch, *bytes, (const key_type *)key,
                                           (key_type *)sorted, index, order, (int)count, 0,
                                           3 * EXACT_TREE_KEY_LEVELS, stream);
}

extern "C" int stretch_cuda_scratch(size_t count, size_t *bytes)
{
    size_t need[5] = {};
    cudaError_t error = sort_numbers(NULL, need, NULL, NULL, NULL, NULL, count, 32, 0);
    if (error == cudaSuccess)
        error = sort_keys(NULL, need + 1, NULL, NULL, NULL, NULL, count, 0);
    if (error == cudaSuccess)
        error = cub::DeviceScan::InclusiveSum(NULL, need[2], (double *)NULL, (double *)NULL,
                                              (int)count);
    if (error == cudaSuccess)
        error = cub::DeviceScan::ExclusiveSum(NULL, need[3], (uint32_t *)NULL, (uint32_t *)NULL,
                                              (int)count);
    if (error == cudaSuccess)
        error = (cudaError_t)exact_tree_cuda_scratch(count, need + 4);
    *bytes = 0;
    for (size_t n : need)
        *bytes = n > *bytes ? n : *bytes;
    return error;
}

__global__ void __launch_bounds__(THREADS)
    number_kernel(size_t count, const share_body *__restrict__ body, uint32_t *number,
                  uint32_t *index)
{
    const size_t i = thread();
    if (i >= count)
        return;
    number[i] = body[i].number;
    index[i] = (uint32_t)i;
}

static __device__ uint64_t key_of(const exact_tree_head *head, const share_body &body)
{
    return exact_tree_key_of(&head->frame, body.position, body.half);
}

__global__ void __launch_bounds__(THREADS)
    key_kernel(size_t count, const share_body *__restrict__ body,
               const exact_tree_head *__restrict__ head, const uint32_t *__restrict__ order,
               uint64_t *key)
{
    const size_t i = thread();
    if (i < count)
        key[i] = key_of(head, body[order ? order[i] : i]);
}

/* First by number, then by key, which keeps the order of equal keys; then those. */
extern "C" int stretch_cuda_sort(size_t count, size_t total, const struct share_body *body,
                                 const struct exact_tree_head *head,
                                 const struct stretch_sort *sort, void *on)
{
    cudaStream_t stream = (cudaStream_t)on;
    uint32_t *number = (uint32_t *)sort->key, *sorted = number + count;
    size_t bytes = sort->scratch_bytes;
    int bits = 1;
    if (count == 0)
        return cudaSuccess;
    while (total >> bits)
        bits++;
    number_kernel<<<blocks_for(count), THREADS, 0, stream>>>(count, body, number, sort->order);
    cudaError_t error = sort_numbers(sort->scratch, &bytes, number, sorted, sort->order,
                                     sort->spare_order, count, bits, stream);
    if (error != cudaSuccess)
        return error;
    key_kernel<<<blocks_for(count), THREADS, 0, stream>>>(count, body, head, sort->spare_order,
                                                          sort->spare_key);
    bytes = sort->scratch_bytes;
    error = cudaGetLastError();
    if (error == cudaSuccess)
        error = sort_keys(sort->scratch, &bytes, sort->spare_key, sort->key, sort->spare_order,
                          sort->order, count, stream);
    const exact_tree_ties of = {body->position, SHARE_DOUBLES, &body->number,
                                sizeof *body / sizeof body->number};
    if (error == cudaSuccess)
        error = (cudaError_t)exact_tree_cuda_order_equal(count, (const key_type *)sort->key, head,
                                                         of, (key_type *)sort->spare_key,
                                                         sort->order, stream);
    return error;
}

extern "C" int stretch_cuda_keys(size_t count, const struct share_body *body,
                                 const struct exact_tree_head *head, uint64_t *key, void *stream)
{
    if (count > 0)
        key_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, body, head, NULL,
                                                                            key);
    return cudaGetLastError();
}

__global__ void __launch_bounds__(THREADS)
    sample_kernel(size_t count, const share_body *__restrict__ body, size_t step, uint64_t *sample)
{
    const size_t i = thread();
    if (i >= count || body[i].number % step != 0)
        return;
    for (int c = 0; c < 3; c++)
        sample[3 * (body[i].number / step) + c] =
            (uint64_t)__double_as_longlong(body[i].position[c]);
}

extern "C" int stretch_cuda_sample(size_t count, const struct share_body *body, size_t step,
                                   uint64_t *sample, void *stream)
{
    if (count > 0)
        sample_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, body, step,
                                                                               sample);
    return cudaGetLastError();
}

__global__ void __launch_bounds__(THREADS)
    weight_kernel(size_t count, const share_body *__restrict__ body, double rate,
                  const uint32_t *__restrict__ order, double *weight)
{
    const size_t i = thread();
    if (i >= count)
        return;
    const float cost = body[order[i]].cost;
    weight[i] = cost > 0 && rate > 0 ? (double)cost * rate : 1;
}

__global__ void __launch_bounds__(THREADS)
    choose_kernel(size_t count, const double *__restrict__ sum, const uint64_t *__restrict__ key,
                  size_t wanted, curve_sample *out)
{
    const size_t k = thread();
    if (k >= wanted)
        return;
    const double all = sum[count - 1], at = all * ((double)k + 0.5) / (double)wanted;
    size_t low = 0, high = count - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sum[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    out[k] = {key[low], all / (double)wanted};
}

extern "C" int stretch_cuda_weigh(size_t count, const struct share_body *body, double rate,
                                  const struct stretch_sort *sort, double *weight, double *sum,
                                  size_t wanted, struct curve_sample *out, void *on)
{
    cudaStream_t stream = (cudaStream_t)on;
    size_t bytes = sort->scratch_bytes;
    if (count == 0)
        return cudaMemsetAsync(out, 0, wanted * sizeof *out, stream);
    weight_kernel<<<blocks_for(count), THREADS, 0, stream>>>(count, body, rate, sort->order,
                                                             weight);
    cudaError_t error =
        cub::DeviceScan::InclusiveSum(sort->scratch, bytes, weight, sum, (int)count, stream);
    if (error != cudaSuccess)
        return error;
    choose_kernel<<<blocks_for(wanted), THREADS, 0, stream>>>(count, sum, sort->key, wanted, out);
    return cudaGetLastError();
}

__global__ void __launch_bounds__(THREADS)
    cut_kernel(size_t count, const uint64_t *__restrict__ key, size_t ranks,
               const uint64_t *__restrict__ splitters, size_t *cuts)
{
    const size_t r = thread();
    if (r > ranks)
        return;
    size_t low = 0, high = r == 0 ? 0 : count;
    while (r < ranks && low < high) {
        const size_t middle = low + (high - low) / 2;
        if (key[middle] < splitters[r - 1])
            low = middle + 1;
        else
            high = middle;
    }
    cuts[r] = r < ranks ? low : count;
}

extern "C" int stretch_cuda_cut(size_t count, const uint64_t *key, size_t ranks,
                                const uint64_t *splitters, size_t *cuts, void *stream)
{
    cut_kernel<<<blocks_for(ranks + 1), THREADS, 0, (cudaStream_t)stream>>>(count, key, ranks,
                                                                            splitters, cuts);
    return cudaGetLastError();
}

/* ---- bodies on the move ---- */

enum { PARTS = sizeof(struct share_body) / sizeof(double2) };

static_assert(PARTS * sizeof(double2) == sizeof(struct share_body), "bodies move in whole parts");

__global__ void __launch_bounds__(THREADS)
    pick_kernel(size_t count, const double2 *__restrict__ body, const uint32_t *__restrict__ order,
                double2 *__restrict__ to)
{
    const size_t t = thread(), k = t / PARTS, part = t % PARTS;
    if (k < count)
        to[t] = body[(order ? (size_t)order[k] : k) * PARTS + part];
}

extern "C" int stretch_cuda_pick(size_t count, const struct share_body *body, const uint32_t *order,
                                 struct share_body *to, void *stream)
{
    if (count > 0)
        pick_kernel<<<blocks_for(count * PARTS), THREADS, 0, (cudaStream_t)stream>>>(
            count, (const double2 *)body, order, (double2 *)to);
    return cudaGetLastError();
}

/* The number of bodies that come before one with that key. */
static __device__ size_t before(const exact_tree_head *head, const stretch_sorted &sorted,
                                uint64_t key, const share_body &body)
{
    size_t low = 0, high = sorted.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const share_body &at = sorted.body[sorted.order[middle]];
        if (sorted.key[middle] < key ||
            (sorted.key[middle] == key &&
             exact_tree_precedes(&head->frame, at.position, at.number, body.position, body.number)))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void __launch_bounds__(THREADS)
    merge_kernel(const exact_tree_head *head, stretch_sorted from, stretch_sorted other,
                 size_t skip, double2 *leaving, double2 *to, uint64_t *key)
{
    const size_t t = thread(), i = t / PARTS, part = t % PARTS;
    if (i >= from.count)
        return;
    const share_body *body = from.body + from.order[i];
    const size_t place = i + (other.count ? before(head, other, from.key[i], *body) : 0);
    const double2 moved = ((const double2 *)body)[part];
    if (place < skip) {
        leaving[place * PARTS + part] = moved;
        return;
    }
    to[(place - skip) * PARTS + part] = moved;
    if (part == 0)
        key[place - skip] = from.key[i];
}

extern "C" int stretch_cuda_merge(const struct exact_tree_head *head,
                                  const struct stretch_sorted *from,
                                  const struct stretch_sorted *other, size_t skip,
                                  struct share_body *leaving, struct share_body *to, uint64_t *key,
                                  void *stream)
{
    if (from->count > 0)
        merge_kernel<<<blocks_for(from->count * PARTS), THREADS, 0, (cudaStream_t)stream>>>(
            head, *from, *other, skip, (double2 *)leaving, (double2 *)to, key);
    return cudaGetLastError();
}

/* ---- the edges of the tree's top ---- */

static __device__ int shared_of(const uint64_t *key, unsigned start, size_t a, size_t b)
{
    const uint64_t differ = key[a] ^ key[b];
    return differ ? __clzll((long long)differ)
                  : 64 + __clz((int)((start + (unsigned)a) ^ (start + (unsigned)b)));
}

enum { BITS = TOP_CUTS_MOST / 2 };

/* Keys share the fewer bits with the first the farther they lie from it, so that every number of
 * bits has one cut at most: the last place that still shares more. The same from the last one. */
__global__ void __launch_bounds__(TOP_CUTS_MOST)
    edge_kernel(size_t count, const uint64_t *__restrict__ key, unsigned start, bool before,
                bool behind, top_cut *cuts, unsigned *found)
{
    const int bits = (int)threadIdx.x % BITS + 1;
    const bool forwards = threadIdx.x < BITS;
    if (forwards ? !before : !behind)
        return;
    const size_t from = forwards ? 0 : count - 1;
    size_t low = 0, high = count - 1; /* distances: low shares as many bits */
    while (low < high) {
        const size_t middle = low + (high - low + 1) / 2;
        const size_t at = forwards ? middle : count - 1 - middle;
        if (shared_of(key, start, from, at) >= bits)
            low = middle;
        else
            high = middle - 1;
    }
    if (low == count - 1)
        return;
    const size_t beyond = forwards ? low + 1 : count - 2 - low;
    const int shared = shared_of(key, start, from, beyond);
    if (shared + 1 != bits)
        return;
    cuts[atomicAdd(found, 1)] = {start + (unsigned)(forwards ? low : beyond), (uint32_t)shared};
}

extern "C" int stretch_cuda_edge(size_t count, const uint64_t *key, uint32_t start, bool before,
                                 bool behind, struct top_cut *cuts, unsigned *found, void *stream)
{
    if (count > 1)
        edge_kernel<<<1, TOP_CUTS_MOST, 0, (cudaStream_t)stream>>>(count, key, start, before,
                                                                   behind, cuts, found);
    return cudaGetLastError();
}

/* ---- steps ---- */

__global__ void __launch_bounds__(THREADS) kick_kernel(size_t count, share_body *body, double dt)
{
    const size_t i = thread();
    for (int c = 0; i < count && c < 3; c++)
        body[i].velocity[c] += body[i].acceleration[c] * dt;
}

__global__ void __launch_bounds__(THREADS) drift_kernel(size_t count, share_body *body, double dt)
{
    const size_t i = thread();
    for (int c = 0; i < count && c < 3; c++)
        body[i].position[c] += body[i].velocity[c] * dt;
}

__global__ void __launch_bounds__(THREADS)
    damp_kernel(size_t count, share_body *body, double factor)
{
    const size_t i = thread();
    for (int c = 0; i < count && c < 3; c++)
        body[i].velocity[c] *= factor;
}

extern "C" int stretch_cuda_kick(size_t count, struct share_body *body, double dt, void *stream)
{
    if (count > 0)
        kick_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, body, dt);
    return cudaGetLastError();
}

extern "C" int stretch_cuda_drift(size_t count, struct share_body *body, double dt, void *stream)
{
    if (count > 0)
        drift_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, body, dt);
    return cudaGetLastError();
}

extern "C" int stretch_cuda_damp(size_t count, struct share_body *body, double factor, void *stream)
{
    if (count > 0)
        damp_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, body, factor);
    return cudaGetLastError();
}

/* Squares are not negative, so that their bits have the order of their values; NaN is skipped, as
 * on the CPU. */
__global__ void __launch_bounds__(THREADS)
    largest_kernel(size_t count, const share_body *__restrict__ body, double *square)
{
    const size_t i = thread();
    double own = 0;
    if (i < count) {
        const double *a = body[i].acceleration;
        own = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    }
    for (int step = WARP / 2; step > 0; step /= 2) {
        const double other = __shfl_xor_sync(0xffffffffu, own, step);
        own = other > own ? other : own;
    }
    if (threadIdx.x % WARP == 0 && own > 0)
        atomicMax((unsigned long long *)square, (unsigned long long)__double_as_longlong(own));
}

__global__ void __launch_bounds__(THREADS)
    broken_kernel(size_t count, const share_body *__restrict__ body, unsigned *first)
{
    const size_t i = thread();
    for (int c = 0; i < count && c < 3; c++)
        if (!isfinite(body[i].position[c]) || !isfinite(body[i].velocity[c]))
            atomicMin(first, body[i].number);
}

__global__ void __launch_bounds__(THREADS)
    finish_kernel(size_t count, share_body *body, const double *__restrict__ acceleration,
                  const float *__restrict__ cost)
{
    const size_t i = thread();
    if (i >= count)
        return;
    for (int c = 0; c < 3; c++)
        body[i].acceleration[c] = acceleration ? acceleration[3 * i + c] : NAN;
    if (cost)
        body[i].cost = cost[i];
}

extern "C" int stretch_cuda_largest(size_t count, const struct share_body *body, double *square,
                                    void *stream)
{
    if (count > 0)
        largest_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, body,
                                                                                square);
    return cudaGetLastError();
}

extern "C" int stretch_cuda_broken(size_t count, const struct share_body *body, unsigned *first,
                                   void *stream)
{
    if (count > 0)
        broken_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, body, first);
    return cudaGetLastError();
}

extern "C" int stretch_cuda_finish(size_t count, struct share_body *body,
                                   const double *acceleration, const float *cost, void *stream)
{
    if (count > 0)
        finish_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, body,
                                                                               acceleration, cost);
    return cudaGetLastError();
}
