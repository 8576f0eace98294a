/* Films a simulation on a GPU: 65,536 bodies, all pairs, leapfrog. The film takes them from the
 * GPU's memory. Usage: in_situ [FILM [FRAMES]] */
#include <gravreel.h>

#include <chrono>
#include <cstdio>
#include <vector>

enum { N = 65536, BLOCK = 256, STEPS = 10 }; /* steps of a frame */
static const float DT = 2e-3f;

/* Velocities are half a step behind. x.w: mass */
__global__ void advance(const float4 *x, float4 *next, float4 *v, float kick)
{
    __shared__ float4 tile[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const float4 own = x[i];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < N; first += BLOCK) {
        tile[threadIdx.x] = x[first + threadIdx.x];
        __syncthreads();
#pragma unroll 32
        for (int j = 0; j < BLOCK; j++) {
            const float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
            const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
            const float pull = tile[j].w * r * r * r;
            ax += pull * dx, ay += pull * dy, az += pull * dz;
        }
        __syncthreads();
    }
    v[i].x += kick * ax, v[i].y += kick * ay, v[i].z += kick * az;
    next[i] = {own.x + DT * v[i].x, own.y + DT * v[i].y, own.z + DT * v[i].z, own.w};
}

int main(int argc, char **argv)
{
    const char *const options[] = {"plummer", "--size", "640x360", "-y", NULL};
    gravreel_film *film = argc > 1 ? gravreel_open(argv[1], options) : NULL;
    const int steps = STEPS * (argc > 2 ? atoi(argv[2]) : 100);
    std::vector<float4> cube(N);
    for (float4 &b : cube)
        b = make_float4(2 * drand48() - 1, 2 * drand48() - 1, 2 * drand48() - 1, 1.f / N);
    float4 *x, *next, *v; /* on the GPU */
    cudaMalloc(&x, sizeof *x * N), cudaMalloc(&next, sizeof *x * N), cudaMalloc(&v, sizeof *v * N);
    cudaMemcpy(x, cube.data(), sizeof *x * N, cudaMemcpyHostToDevice);
    cudaMemset(v, 0, sizeof *v * N);
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < steps; k++, std::swap(x, next)) {
        const gravreel_array arrays[] = {{"pos", NULL, GRAVREEL_F4, x, NULL, NULL, sizeof *x},
                                         {"vel", NULL, GRAVREEL_F4, v, NULL, NULL, sizeof *v},
                                         {"mass", NULL, GRAVREEL_F4, &x->w, NULL, NULL, sizeof *x}};
        if (film && k % STEPS == 0 && gravreel_frame(film, k * DT, N, arrays, k == 0 ? 3 : 2) != 0)
            break;
        advance<<<N / BLOCK, BLOCK>>>(x, next, v, k == 0 ? DT / 2 : DT);
    }
    printf("%s, ", cudaGetErrorString(cudaDeviceSynchronize()));
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    printf("%.4f ms a step\n", time.count() / steps);
    return film && gravreel_close(film) != 0 ? fprintf(stderr, "%s\n", gravreel_error()), 1 : 0;
}
