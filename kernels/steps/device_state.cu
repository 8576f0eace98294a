#include "kernels/steps/device_state.h"

#include "kernels/rows.h"

/* Every product and sum is rounded separately, as on the CPU (no fused multiply-add). */

enum { THREADS = 256, WARP = 32 };

static unsigned blocks_for(size_t items)
{
    return (unsigned)((items + THREADS - 1) / THREADS);
}

static __device__ __forceinline__ size_t item(void)
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}

static __device__ __forceinline__ double moved(double from, double rate, double dt)
{
    return dt == 0 ? from : __dadd_rn(from, __dmul_rn(rate, dt));
}

static __device__ __forceinline__ double square(const double *a)
{
    return __dadd_rn(__dadd_rn(__dmul_rn(a[0], a[0]), __dmul_rn(a[1], a[1])),
                     __dmul_rn(a[2], a[2]));
}

__global__ void kick_kernel(size_t numbers, double *__restrict__ velocity,
                            const double *__restrict__ acceleration, double dt)
{
    size_t k = item();
    if (k < numbers)
        velocity[k] = moved(velocity[k], acceleration[k], dt);
}

__global__ void damp_kernel(size_t numbers, double *__restrict__ velocity, double factor)
{
    size_t k = item();
    if (k < numbers)
        velocity[k] *= factor;
}

/* Kicks and drifts one number of the state; returns its new position. */
static __device__ __forceinline__ double move_number(size_t k, double *__restrict__ position,
                                                     double *__restrict__ velocity,
                                                     const double *__restrict__ acceleration,
                                                     double kick, double second_kick, double dt)
{
    double v = velocity[k];
    if (kick != 0 || second_kick != 0) {
        double a = acceleration[k];
        v = moved(moved(v, a, kick), a, second_kick);
        velocity[k] = v;
    }
    return position[k] = moved(position[k], v, dt);
}

/* One number per thread, so that a warp reads and writes whole sectors. */
template <class NUMBER>
__global__ void drift_kernel(size_t numbers, double *__restrict__ position,
                             double *__restrict__ velocity, const double *__restrict__ acceleration,
                             double kick, double second_kick, double dt, NUMBER *__restrict__ rows)
{
    size_t k = item();
    if (k < numbers)
        rows[4 * (k / 3) + k % 3] =
            (NUMBER)move_number(k, position, velocity, acceleration, kick, second_kick, dt);
}

static __device__ __forceinline__ double median(double a, double b, double c)
{
    double low = a < b ? a : b, high = a < b ? b : a;
    double rest = high < c ? high : c;
    return low < rest ? rest : low;
}

/* One block per tile; computes its centre as tiles_centre of sim/solver/tiles.h does. */
__global__ void __launch_bounds__(FORCE_TILE)
    drift_tiled_kernel(size_t count, const unsigned char *__restrict__ chosen,
                       double *__restrict__ position, double *__restrict__ velocity,
                       const double *__restrict__ acceleration, double kick, double second_kick,
                       double dt, const unsigned *__restrict__ order, double *__restrict__ centres,
                       float *__restrict__ rows)
{
    __shared__ double found[3][FORCE_CHOSEN], centre[3];
    size_t k = (size_t)blockIdx.x * FORCE_TILE + threadIdx.x;
    bool some = k < count;
    double x[3] = {0, 0, 0};
    for (int c = 0; some && c < 3; c++)
        x[c] = move_number(3 * (size_t)order[k] + c, position, velocity, acceleration, kick,
                           second_kick, dt);
    for (unsigned s = 0; s < FORCE_CHOSEN; s++)
        if (threadIdx.x == chosen[FORCE_CHOSEN * (size_t)blockIdx.x + s])
            for (int c = 0; c < 3; c++)
                found[c][s] = x[c];
    __syncthreads();
    if (threadIdx.x < 3) {
        const double *at = found[threadIdx.x];
        centre[threadIdx.x] = median(median(at[0], at[1], at[2]), median(at[3], at[4], at[5]),
                                     median(at[6], at[7], at[8]));
        centres[3 * (size_t)blockIdx.x + threadIdx.x] = centre[threadIdx.x];
    }
    __syncthreads();
    for (int c = 0; c < 3; c++)
        x[c] = __dsub_rn(x[c], centre[c]);
    float4 *row = (float4 *)rows + k;
    if (some)
        *row = make_float4((float)x[0], (float)x[1], (float)x[2], row->w);
}

/* One number of a row per thread. */
template <class NUMBER>
__global__ void part_kernel(size_t count, const NUMBER *__restrict__ rows, size_t first,
                            size_t subset, size_t sources, NUMBER *__restrict__ part)
{
    size_t k = item(), source = k / 4, j = first + source * subset;
    if (source >= sources)
        return;
    NUMBER value = j < count ? rows[4 * j + k % 4] : 0;
    part[k] = k % 4 == 3 ? (NUMBER)subset * value : value;
}

__global__ void part_tiled_kernel(size_t count, const float *__restrict__ rows,
                                  const double *__restrict__ centres, size_t first, size_t subset,
                                  size_t sources, float *__restrict__ part,
                                  double *__restrict__ part_centres)
{
    size_t k = item(), source = k / 4, c = k % 4, j = first + source * subset;
    if (source >= sources)
        return;
    float value = j < count ? rows[4 * j + c] : 0;
    if (c == 3) {
        part[k] = (float)subset * value;
        return;
    }
    size_t tiles = (count + FORCE_TILE - 1) / FORCE_TILE, tile = source / FORCE_TILE;
    size_t middle = (tile * FORCE_TILE + FORCE_TILE / 2) * subset / FORCE_TILE;
    double to = centres[3 * (middle < tiles ? middle : tiles - 1) + c];
    if (source % FORCE_TILE == 0)
        part_centres[3 * tile + c] = to;
    if (j < count)
        value = __fsub_rn(value, (float)__dsub_rn(to, centres[3 * (j / FORCE_TILE) + c]));
    part[k] = value;
}

template <class NUMBER>
__global__ void part_halves_kernel(size_t count, const NUMBER *__restrict__ halves, size_t first,
                                   size_t subset, size_t sources, NUMBER *__restrict__ part)
{
    size_t source = item(), j = first + source * subset;
    if (source < sources && j < count)
        part[source] = halves[j];
}

/* *square: the largest a^2 as the bits of a double. Doubles >= 0 have the same order as their bits,
 * and the maximum does not depend on the order of the threads. */
__global__ void largest_kernel(size_t count, const double *__restrict__ acceleration,
                               unsigned long long *largest)
{
    size_t i = item();
    unsigned long long bits =
        i < count ? (unsigned long long)__double_as_longlong(square(acceleration + 3 * i)) : 0;
    for (int step = WARP / 2; step > 0; step /= 2) {
        unsigned long long other = __shfl_xor_sync(0xffffffffu, bits, step);
        bits = other > bits ? other : bits;
    }
    if (threadIdx.x % WARP == 0)
        atomicMax(largest, bits);
}

template <class NUMBER>
__global__ void
view_kernel(size_t count, const NUMBER *__restrict__ rows, const unsigned *__restrict__ order,
            const double *__restrict__ position, const double *__restrict__ velocity,
            const double *__restrict__ acceleration, float4 *__restrict__ view_position,
            float4 *__restrict__ view_velocity, float *__restrict__ view_acceleration)
{
    size_t k = item();
    if (k >= count)
        return;
    size_t i = order ? order[k] : k;
    const double *x = position + 3 * i, *v = velocity + 3 * i;
    view_position[i] = make_float4((float)x[0], (float)x[1], (float)x[2], (float)rows[4 * k + 3]);
    view_velocity[i] = make_float4((float)v[0], (float)v[1], (float)v[2], 0);
    if (view_acceleration)
        view_acceleration[i] = (float)__dsqrt_rn(square(acceleration + 3 * i));
}

__global__ void sample_kernel(size_t samples, size_t stride, const float4 *__restrict__ rows,
                              float4 *__restrict__ sample)
{
    size_t i = item();
    if (i < samples)
        sample[i] = rows[i * stride];
}

__global__ void pick_kernel(size_t count, const uint64_t *__restrict__ numbers,
                            const float4 *__restrict__ position,
                            const float4 *__restrict__ velocity, float4 *__restrict__ rows)
{
    size_t i = item();
    if (i >= count)
        return;
    rows[2 * i] = position[numbers[i]];
    rows[2 * i + 1] = velocity[numbers[i]];
}

__global__ void find_broken_kernel(size_t count, const double *__restrict__ position,
                                   const double *__restrict__ velocity, unsigned *body)
{
    size_t i = item();
    if (i >= count)
        return;
    bool whole = true;
    for (int c = 0; c < 3; c++)
        whole = whole && isfinite(position[3 * i + c]) && isfinite(velocity[3 * i + c]);
    if (!whole)
        atomicMin(body, (unsigned)i);
}

extern "C" int state_cuda_kick(size_t count, double *velocity, const double *acceleration,
                               double dt, void *stream)
{
    kick_kernel<<<blocks_for(3 * count), THREADS, 0, (cudaStream_t)stream>>>(3 * count, velocity,
                                                                             acceleration, dt);
    return cudaGetLastError();
}

extern "C" int state_cuda_damp(size_t count, double *velocity, double factor, void *stream)
{
    damp_kernel<<<blocks_for(3 * count), THREADS, 0, (cudaStream_t)stream>>>(3 * count, velocity,
                                                                             factor);
    return cudaGetLastError();
}

extern "C" int state_cuda_drift(size_t count, double *position, double *velocity,
                                const double *acceleration, double kick, double second_kick,
                                double dt, size_t number, void *rows, void *stream)
{
    if (number == sizeof(double))
        drift_kernel<<<blocks_for(3 * count), THREADS, 0, (cudaStream_t)stream>>>(
            3 * count, position, velocity, acceleration, kick, second_kick, dt, (double *)rows);
    else
        drift_kernel<<<blocks_for(3 * count), THREADS, 0, (cudaStream_t)stream>>>(
            3 * count, position, velocity, acceleration, kick, second_kick, dt, (float *)rows);
    return cudaGetLastError();
}

extern "C" int state_cuda_drift_tiled(size_t count, const unsigned char *chosen, double *position,
                                      double *velocity, const double *acceleration, double kick,
                                      double second_kick, double dt, const unsigned *order,
                                      double *centres, float *rows, void *stream)
{
    const unsigned tiles = (unsigned)((count + FORCE_TILE - 1) / FORCE_TILE);
    drift_tiled_kernel<<<tiles, FORCE_TILE, 0, (cudaStream_t)stream>>>(
        count, chosen, position, velocity, acceleration, kick, second_kick, dt, order, centres,
        rows);
    return cudaGetLastError();
}

extern "C" int state_cuda_part_tiled(size_t count, const float *rows, const double *centres,
                                     size_t first, size_t subset, float *part, double *part_centres,
                                     void *stream)
{
    size_t sources = (count + subset - 1) / subset;
    part_tiled_kernel<<<blocks_for(4 * sources), THREADS, 0, (cudaStream_t)stream>>>(
        count, rows, centres, first, subset, sources, part, part_centres);
    return cudaGetLastError();
}

extern "C" int state_cuda_part(size_t count, size_t number, const void *rows, size_t first,
                               size_t subset, void *part, void *stream)
{
    size_t sources = (count + subset - 1) / subset;
    if (number == sizeof(double))
        part_kernel<<<blocks_for(4 * sources), THREADS, 0, (cudaStream_t)stream>>>(
            count, (const double *)rows, first, subset, sources, (double *)part);
    else
        part_kernel<<<blocks_for(4 * sources), THREADS, 0, (cudaStream_t)stream>>>(
            count, (const float *)rows, first, subset, sources, (float *)part);
    return cudaGetLastError();
}

extern "C" int state_cuda_part_halves(size_t count, size_t number, const void *halves, size_t first,
                                      size_t subset, void *part, void *stream)
{
    size_t sources = (count + subset - 1) / subset;
    if (number == sizeof(double))
        part_halves_kernel<<<blocks_for(sources), THREADS, 0, (cudaStream_t)stream>>>(
            count, (const double *)halves, first, subset, sources, (double *)part);
    else
        part_halves_kernel<<<blocks_for(sources), THREADS, 0, (cudaStream_t)stream>>>(
            count, (const float *)halves, first, subset, sources, (float *)part);
    return cudaGetLastError();
}

extern "C" int state_cuda_largest(size_t count, const double *acceleration, double *square,
                                  void *stream)
{
    cudaError_t error = cudaMemsetAsync(square, 0, sizeof *square, (cudaStream_t)stream);
    if (error != cudaSuccess)
        return error;
    largest_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(
        count, acceleration, (unsigned long long *)square);
    return cudaGetLastError();
}

extern "C" int state_cuda_view(size_t count, size_t number, const void *rows, const unsigned *order,
                               const double *position, const double *velocity,
                               const double *acceleration, float *view_position,
                               float *view_velocity, float *view_acceleration, void *stream)
{
    if (number == sizeof(double))
        view_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(
            count, (const double *)rows, order, position, velocity, acceleration,
            (float4 *)view_position, (float4 *)view_velocity, view_acceleration);
    else
        view_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(
            count, (const float *)rows, order, position, velocity, acceleration,
            (float4 *)view_position, (float4 *)view_velocity, view_acceleration);
    return cudaGetLastError();
}

extern "C" int state_cuda_sample(size_t count, size_t stride, const float *view_position,
                                 float *sample, void *stream)
{
    size_t samples = (count + stride - 1) / stride;
    sample_kernel<<<blocks_for(samples), THREADS, 0, (cudaStream_t)stream>>>(
        samples, stride, (const float4 *)view_position, (float4 *)sample);
    return cudaGetLastError();
}

extern "C" int state_cuda_pick(size_t count, const uint64_t *numbers, const float *view_position,
                               const float *view_velocity, float *rows, void *stream)
{
    pick_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(
        count, numbers, (const float4 *)view_position, (const float4 *)view_velocity,
        (float4 *)rows);
    return cudaGetLastError();
}

extern "C" int state_cuda_find_broken(size_t count, const double *position, const double *velocity,
                                      unsigned *body, void *stream)
{
    cudaError_t error = cudaMemsetAsync(body, 0xff, sizeof *body, (cudaStream_t)stream);
    if (error != cudaSuccess)
        return error;
    find_broken_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, position,
                                                                                velocity, body);
    return cudaGetLastError();
}

/* The length of a step; a power of 2 leaves no rounding. */
static __device__ __forceinline__ double step_of(double frame_time, int rung)
{
    return frame_time * __longlong_as_double((long long)(1023 - rung) << 52);
}

/* Like rung_for in sim/solver/solver.c. */
static __device__ int rung_for(const struct rungs_cuda_rule &rule, double softening,
                               double acceleration)
{
    int rung = 0;
    if (!isfinite(acceleration))
        return 0;
    const double limit = rule.eta * sqrt(softening / acceleration);
    while (rung < rule.most && step_of(fabs(rule.frame_time), rung) > limit)
        ++rung;
    return rung;
}

__global__ void choose_kernel(size_t count, struct rungs_cuda_rule rule,
                              const double *__restrict__ acceleration,
                              const double *__restrict__ halves, int from,
                              uint8_t *__restrict__ rungs, unsigned long long *counts)
{
    __shared__ unsigned here[RUNGS_CUDA_MOST + 1];
    const size_t i = item();
    if (threadIdx.x <= RUNGS_CUDA_MOST)
        here[threadIdx.x] = 0;
    __syncthreads();
    if (i < count && rungs[i] >= from) {
        const double *a = acceleration + 3 * i;
        const double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        const double softening = halves ? sqrt(2 * halves[i]) : rule.softening;
        const int rung = max(rung_for(rule, softening, size), from);
        rungs[i] = (uint8_t)rung;
        atomicAdd(&here[rung], 1);
    }
    __syncthreads();
    if (threadIdx.x <= rule.most && here[threadIdx.x] > 0)
        atomicAdd(&counts[threadIdx.x], here[threadIdx.x]);
}

__global__ void kick_half_kernel(size_t count, double *__restrict__ velocity,
                                 const double *__restrict__ acceleration, double frame_time,
                                 const uint8_t *__restrict__ rungs, int from)
{
    const size_t k = item(), i = k / 3;
    if (i < count && rungs[i] >= from)
        velocity[k] += acceleration[k] * (step_of(frame_time, rungs[i]) / 2);
}

extern "C" int rungs_cuda_choose(size_t count, const struct rungs_cuda_rule *rule,
                                 const double *acceleration, const double *halves, int from,
                                 uint8_t *rungs, uint64_t *counts, void *stream)
{
    cudaError_t error =
        cudaMemsetAsync(counts, 0, ((size_t)rule->most + 1) * sizeof *counts, (cudaStream_t)stream);
    if (error != cudaSuccess)
        return error;
    choose_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(
        count, *rule, acceleration, halves, from, rungs, (unsigned long long *)counts);
    return cudaGetLastError();
}

extern "C" int rungs_cuda_kick_half(size_t count, double *velocity, const double *acceleration,
                                    double frame_time, const uint8_t *rungs, int from, void *stream)
{
    kick_half_kernel<<<blocks_for(3 * count), THREADS, 0, (cudaStream_t)stream>>>(
        count, velocity, acceleration, frame_time, rungs, from);
    return cudaGetLastError();
}
