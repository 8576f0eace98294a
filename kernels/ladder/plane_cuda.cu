#include "kernels/ladder/plane_cuda.h"

static unsigned blocks_for(size_t items)
{
    return (unsigned)((items + PLANE_BLOCK - 1) / PLANE_BLOCK);
}

static __device__ __forceinline__ size_t item(void)
{
    return (size_t)blockIdx.x * PLANE_BLOCK + threadIdx.x;
}

/* ---- shared by the later rungs ---- */

/* Computes the cell from the position: one addition per body instead of a search by every cell.
 * Integer counts do not depend on the order of the additions. The scale is a power of two, so there
 * is no rounding. */
static __device__ __forceinline__ void count_body(float x, float y, float half,
                                                  unsigned *__restrict__ map)
{
    const float edge = PLANE_SIDE / 2;
    float cells = edge / half, u = x * cells, v = y * cells;
    if (u >= -edge && u < edge && v >= -edge && v < edge)
        atomicAdd(
            &map[((int)floorf(v) + PLANE_SIDE / 2) * PLANE_SIDE + (int)floorf(u) + PLANE_SIDE / 2],
            1u);
}

static cudaError_t clear_map(unsigned *map, cudaStream_t stream)
{
    return cudaMemsetAsync(map, 0, PLANE_CELLS * sizeof *map, stream);
}

/* 1 / sqrt(d)^3 with the library's root, one division. */
struct library_root {
    static __device__ __forceinline__ float pull(float mass, float d)
    {
        return mass / sqrtf(d * d * d);
    }
};

/* Halving the exponent by a shift gives a root within 3.5 %; each Newton step squares that error:
 * 1.8e-3 after one, 4.7e-6 after two. This needs no root and no division. */
template <int STEPS> struct newton_root {
    static __device__ __forceinline__ float pull(float mass, float d)
    {
        float root = __int_as_float(0x5f3759df - (__float_as_int(d) >> 1));
#pragma unroll
        for (int s = 0; s < STEPS; s++)
            root = root * (1.5f - 0.5f * d * root * root);
        return mass * root * root * root;
    }
};

/* ---- baseline: the CPU's loop, one thread per body; the map searched cell by cell ---- */

/* Array of structures: neighbouring threads read 20 bytes apart. pow in double, once per
 * coordinate. Sources are the same for all threads of a warp, so that the loads are broadcasts. */
__global__ void baseline_forces(size_t count, const struct plane_body *bodies, float softening,
                                float *ax, float *ay)
{
    size_t i = item();
    if (i >= count)
        return;
    float softening2 = softening * softening, sx = 0, sy = 0;
    for (size_t j = 0; j < count; j++) {
        float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y;
        float d2 = dx * dx + dy * dy + softening2;
        sx += (float)((double)(bodies[j].mass * dx) / pow((double)d2, 1.5));
        sy += (float)((double)(bodies[j].mass * dy) / pow((double)d2, 1.5));
    }
    ax[i] = sx;
    ay[i] = sy;
}

__global__ void move_bodies(size_t count, struct plane_body *bodies, const float *ax,
                            const float *ay, float dt)
{
    size_t i = item();
    if (i >= count)
        return;
    bodies[i].vx += ax[i] * dt;
    bodies[i].vy += ay[i] * dt;
    bodies[i].x += bodies[i].vx * dt;
    bodies[i].y += bodies[i].vy * dt;
}

/* One thread per cell, which tests every body: N x 65,536 tests. */
__global__ void search_map(size_t count, const struct plane_body *bodies, float half, unsigned *map)
{
    unsigned cell = (unsigned)item();
    float width = 2 * half / PLANE_SIDE;
    float left = -half + width * (cell % PLANE_SIDE), low = -half + width * (cell / PLANE_SIDE);
    unsigned found = 0;
    for (size_t j = 0; j < count; j++)
        if (bodies[j].x >= left && bodies[j].x < left + width && bodies[j].y >= low &&
            bodies[j].y < low + width)
            found++;
    map[cell] = found;
}

/* ---- + compute: one denominator in float instead of two pow in double ---- */

__global__ void compute_forces(size_t count, const struct plane_body *bodies, float softening,
                               float *ax, float *ay)
{
    size_t i = item();
    if (i >= count)
        return;
    float softening2 = softening * softening, sx = 0, sy = 0;
    for (size_t j = 0; j < count; j++) {
        float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y;
        float pull = library_root::pull(bodies[j].mass, dx * dx + dy * dy + softening2);
        sx += pull * dx;
        sy += pull * dy;
    }
    ax[i] = sx;
    ay[i] = sy;
}

/* ---- + activity: the cell from the position, atomicAdd ---- */

__global__ void count_bodies(size_t count, const struct plane_body *bodies, float half,
                             unsigned *map)
{
    size_t i = item();
    if (i < count)
        count_body(bodies[i].x, bodies[i].y, half, map);
}

/* ---- SoA: one array per attribute, so that a warp's loads and stores fill whole lines ---- */

__global__ void soa_forces(size_t count, const float *x, const float *y, const float *mass,
                           float softening, float *ax, float *ay)
{
    size_t i = item();
    if (i >= count)
        return;
    float softening2 = softening * softening, sx = 0, sy = 0;
    for (size_t j = 0; j < count; j++) {
        float dx = x[j] - x[i], dy = y[j] - y[i];
        float pull = library_root::pull(mass[j], dx * dx + dy * dy + softening2);
        sx += pull * dx;
        sy += pull * dy;
    }
    ax[i] = sx;
    ay[i] = sy;
}

__global__ void soa_move(size_t count, float *x, float *y, float *vx, float *vy, const float *ax,
                         const float *ay, float dt)
{
    size_t i = item();
    if (i >= count)
        return;
    vx[i] += ax[i] * dt;
    vy[i] += ay[i] * dt;
    x[i] += vx[i] * dt;
    y[i] += vy[i] * dt;
}

__global__ void soa_count(size_t count, const float *x, const float *y, float half, unsigned *map)
{
    size_t i = item();
    if (i < count)
        count_body(x[i], y[i], half, map);
}

/* ---- read only: two buffers, so that sources are constant while bodies move ---- */

/* const __restrict__ lets the compiler load sources through the read-only path and ahead of the
 * loop. With the new state elsewhere, forces, integration and counting are one kernel, and no
 * acceleration goes through memory. */
__global__ void read_only_step(size_t count, const float *__restrict__ x,
                               const float *__restrict__ y, const float *__restrict__ vx,
                               const float *__restrict__ vy, const float *__restrict__ mass,
                               float softening, float dt, float half, struct plane_arrays next,
                               unsigned *__restrict__ map)
{
    size_t i = item();
    if (i >= count)
        return;
    float softening2 = softening * softening, px = x[i], py = y[i], sx = 0, sy = 0;
    for (size_t j = 0; j < count; j++) {
        float dx = x[j] - px, dy = y[j] - py;
        float pull = library_root::pull(mass[j], dx * dx + dy * dy + softening2);
        sx += pull * dx;
        sy += pull * dy;
    }
    float wx = vx[i] + sx * dt, wy = vy[i] + sy * dt;
    px += wx * dt;
    py += wy * dt;
    next.vx[i] = wx;
    next.vy[i] = wy;
    next.x[i] = px;
    next.y[i] = py;
    count_body(px, py, half, map);
}

/* ---- shared: 256 bodies per block staged in shared memory; rsqrt: the same with another root ----
 */

/* Each source is loaded once per block instead of once per thread. Block b starts at tile b, so
 * that blocks do not all request the same lines at once. Threads beyond the last body still stage
 * sources and reach the barriers; only their results are dropped. Places beyond the last body have
 * no mass. */
template <class ROOT>
__global__ void __launch_bounds__(PLANE_BLOCK)
    shared_step(size_t count, const float *__restrict__ x, const float *__restrict__ y,
                const float *__restrict__ vx, const float *__restrict__ vy,
                const float *__restrict__ mass, float softening, float dt, float half,
                struct plane_arrays next, unsigned *__restrict__ map)
{
    __shared__ float tile_x[PLANE_BLOCK], tile_y[PLANE_BLOCK], tile_mass[PLANE_BLOCK];
    size_t i = item();
    bool alive = i < count;
    float softening2 = softening * softening, sx = 0, sy = 0;
    float px = alive ? x[i] : 0, py = alive ? y[i] : 0;

    for (unsigned t = 0, tile = blockIdx.x; t < gridDim.x; t++) {
        size_t j = (size_t)tile * PLANE_BLOCK + threadIdx.x;
        bool there = j < count;
        tile_x[threadIdx.x] = there ? x[j] : 0;
        tile_y[threadIdx.x] = there ? y[j] : 0;
        tile_mass[threadIdx.x] = there ? mass[j] : 0;
        __syncthreads();
#pragma unroll 16
        for (int k = 0; k < PLANE_BLOCK; k++) {
            float dx = tile_x[k] - px, dy = tile_y[k] - py;
            float pull = ROOT::pull(tile_mass[k], dx * dx + dy * dy + softening2);
            sx += pull * dx;
            sy += pull * dy;
        }
        __syncthreads();
        tile = tile + 1 == gridDim.x ? 0 : tile + 1;
    }

    if (!alive)
        return;
    float wx = vx[i] + sx * dt, wy = vy[i] + sy * dt;
    px += wx * dt;
    py += wy * dt;
    next.vx[i] = wx;
    next.vy[i] = wy;
    next.x[i] = px;
    next.y[i] = py;
    count_body(px, py, half, map);
}

/* ---- launchers ---- */

static cudaError_t move_structures(const struct plane *plane, const struct plane_memory *m,
                                   cudaStream_t stream)
{
    move_bodies<<<blocks_for(plane->count), PLANE_BLOCK, 0, stream>>>(
        plane->count, m->bodies, m->acceleration, m->acceleration + plane->count, plane->dt);
    return cudaGetLastError();
}

static cudaError_t search(const struct plane *plane, const struct plane_memory *m,
                          cudaStream_t stream)
{
    search_map<<<PLANE_CELLS / PLANE_BLOCK, PLANE_BLOCK, 0, stream>>>(plane->count, m->bodies,
                                                                      plane->half, m->map);
    return cudaGetLastError();
}

static cudaError_t compute(const struct plane *plane, const struct plane_memory *m,
                           cudaStream_t stream)
{
    compute_forces<<<blocks_for(plane->count), PLANE_BLOCK, 0, stream>>>(
        plane->count, m->bodies, plane->softening, m->acceleration, m->acceleration + plane->count);
    cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? move_structures(plane, m, stream) : error;
}

extern "C" int plane_cuda_baseline(const struct plane *plane, const struct plane_memory *m,
                                   unsigned, void *stream)
{
    baseline_forces<<<blocks_for(plane->count), PLANE_BLOCK, 0, (cudaStream_t)stream>>>(
        plane->count, m->bodies, plane->softening, m->acceleration, m->acceleration + plane->count);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = move_structures(plane, m, (cudaStream_t)stream);
    return error == cudaSuccess ? search(plane, m, (cudaStream_t)stream) : error;
}

extern "C" int plane_cuda_compute(const struct plane *plane, const struct plane_memory *m, unsigned,
                                  void *stream)
{
    cudaError_t error = compute(plane, m, (cudaStream_t)stream);
    return error == cudaSuccess ? search(plane, m, (cudaStream_t)stream) : error;
}

extern "C" int plane_cuda_activity(const struct plane *plane, const struct plane_memory *m,
                                   unsigned, void *stream)
{
    cudaError_t error = compute(plane, m, (cudaStream_t)stream);
    if (error == cudaSuccess)
        error = clear_map(m->map, (cudaStream_t)stream);
    if (error != cudaSuccess)
        return error;
    count_bodies<<<blocks_for(plane->count), PLANE_BLOCK, 0, (cudaStream_t)stream>>>(
        plane->count, m->bodies, plane->half, m->map);
    return cudaGetLastError();
}

extern "C" int plane_cuda_soa(const struct plane *plane, const struct plane_memory *m, unsigned,
                              void *stream)
{
    const struct plane_arrays *now = &m->now[0];
    float *ax = m->acceleration, *ay = m->acceleration + plane->count;
    unsigned blocks = blocks_for(plane->count);
    cudaError_t error = clear_map(m->map, (cudaStream_t)stream);
    if (error != cudaSuccess)
        return error;
    soa_forces<<<blocks, PLANE_BLOCK, 0, (cudaStream_t)stream>>>(plane->count, now->x, now->y,
                                                                 m->mass, plane->softening, ax, ay);
    error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    soa_move<<<blocks, PLANE_BLOCK, 0, (cudaStream_t)stream>>>(plane->count, now->x, now->y,
                                                               now->vx, now->vy, ax, ay, plane->dt);
    error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    soa_count<<<blocks, PLANE_BLOCK, 0, (cudaStream_t)stream>>>(plane->count, now->x, now->y,
                                                                plane->half, m->map);
    return cudaGetLastError();
}

typedef void step_kernel(size_t, const float *, const float *, const float *, const float *,
                         const float *, float, float, float, struct plane_arrays, unsigned *);

static int step(step_kernel *kernel, const struct plane *plane, const struct plane_memory *m,
                unsigned turn, void *stream)
{
    const struct plane_arrays *now = &m->now[turn % 2];
    cudaError_t error = clear_map(m->map, (cudaStream_t)stream);
    if (error != cudaSuccess)
        return error;
    kernel<<<blocks_for(plane->count), PLANE_BLOCK, 0, (cudaStream_t)stream>>>(
        plane->count, now->x, now->y, now->vx, now->vy, m->mass, plane->softening, plane->dt,
        plane->half, m->now[(turn + 1) % 2], m->map);
    return cudaGetLastError();
}

extern "C" int plane_cuda_read_only(const struct plane *plane, const struct plane_memory *m,
                                    unsigned turn, void *stream)
{
    return step(read_only_step, plane, m, turn, stream);
}

extern "C" int plane_cuda_shared(const struct plane *plane, const struct plane_memory *m,
                                 unsigned turn, void *stream)
{
    return step(shared_step<library_root>, plane, m, turn, stream);
}

extern "C" int plane_cuda_rsqrt1(const struct plane *plane, const struct plane_memory *m,
                                 unsigned turn, void *stream)
{
    return step(shared_step<newton_root<1>>, plane, m, turn, stream);
}

extern "C" int plane_cuda_rsqrt2(const struct plane *plane, const struct plane_memory *m,
                                 unsigned turn, void *stream)
{
    return step(shared_step<newton_root<2>>, plane, m, turn, stream);
}
