#include "kernels/steps/rungs.h"

enum { THREADS = 256 };

static unsigned blocks_for(size_t items)
{
    return (unsigned)((items + THREADS - 1) / THREADS);
}

static __device__ __forceinline__ size_t item(void)
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}

/* The length of a step; a power of 2 leaves no rounding. */
static __device__ __forceinline__ double step_of(double frame_time, int rung)
{
    return frame_time * __longlong_as_double((long long)(1023 - rung) << 52);
}

/* As rung_for in sim/solver/rungs.c. */
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
    const size_t i = item();
    if (i >= count || rungs[i] < from)
        return;
    const double half = step_of(frame_time, rungs[i]) / 2;
    for (size_t k = 3 * i; k < 3 * i + 3; k++)
        velocity[k] += acceleration[k] * half;
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
    kick_half_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(
        count, velocity, acceleration, frame_time, rungs, from);
    return cudaGetLastError();
}
