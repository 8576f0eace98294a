#include "kernels/state_cuda.h"

enum { THREADS = 256 };

static unsigned blocks_for(size_t items)
{
    return (unsigned)((items + THREADS - 1) / THREADS);
}

static __device__ __forceinline__ size_t item(void)
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}

__global__ void kick_kernel(size_t numbers, double *__restrict__ velocity,
                            const double *__restrict__ acceleration, double dt)
{
    size_t k = item();
    if (k < numbers)
        velocity[k] += acceleration[k] * dt;
}

__global__ void drift_kernel(size_t count, double *__restrict__ position,
                             const double *__restrict__ velocity, double dt,
                             float4 *__restrict__ rows)
{
    size_t i = item();
    if (i >= count)
        return;
    double x = position[3 * i] + velocity[3 * i] * dt;
    double y = position[3 * i + 1] + velocity[3 * i + 1] * dt;
    double z = position[3 * i + 2] + velocity[3 * i + 2] * dt;
    position[3 * i] = x;
    position[3 * i + 1] = y;
    position[3 * i + 2] = z;
    rows[i] = make_float4((float)x, (float)y, (float)z, rows[i].w);
}

__global__ void view_kernel(size_t count, const float4 *__restrict__ rows,
                            const double *__restrict__ velocity,
                            const double *__restrict__ acceleration,
                            float4 *__restrict__ view_position, float4 *__restrict__ view_velocity)
{
    size_t i = item();
    if (i >= count)
        return;
    const double *v = velocity + 3 * i, *a = acceleration + 3 * i;
    float size = (float)sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    view_position[i] = rows[i];
    view_velocity[i] = make_float4((float)v[0], (float)v[1], (float)v[2], size);
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

extern "C" int state_cuda_drift(size_t count, double *position, const double *velocity, double dt,
                                float *rows, void *stream)
{
    drift_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, position, velocity,
                                                                          dt, (float4 *)rows);
    return cudaGetLastError();
}

extern "C" int state_cuda_view(size_t count, const float *rows, const double *velocity,
                               const double *acceleration, float *view_position,
                               float *view_velocity, void *stream)
{
    view_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(
        count, (const float4 *)rows, velocity, acceleration, (float4 *)view_position,
        (float4 *)view_velocity);
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
