#include "kernels/cuda/pairs.h"
#include "sim/solver/softening.h"
#include "sim/solver/cuda/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status cuda_check(const struct cuda *cuda, int error, const char *what)
{
    if (error == cudaSuccess)
        return STATUS_OK;
    return status_fail(STATUS_RUNTIME, "CUDA could not %s (kernel %s, N = %zu, %s): %s", what,
                       cuda->kernel_name, cuda->solver.count, cuda->solver.device,
                       cudaGetErrorString((cudaError_t)error));
}

enum status cuda_enter(const struct cuda *cuda)
{
    return cuda_check(cuda, cudaSetDevice(cuda->device), "select the device");
}

enum status cuda_finish(struct cuda *cuda, const char *what)
{
    enum status status = cuda_check(cuda, cudaStreamSynchronize(cuda->stream), what);
    for (; status == STATUS_OK && cuda->timed > 0; cuda->timed--) {
        float milliseconds = 0;
        cudaEvent_t *timer = cuda->timer[cuda->timed - 1];
        status = cuda_check(cuda, cudaEventElapsedTime(&milliseconds, timer[0], timer[1]),
                            "time the forces");
        cuda->solver.force_seconds += 1e-3 * (double)milliseconds;
    }
    return status;
}

enum status cuda_fetch(struct cuda *cuda, void *host, const void *device, size_t bytes,
                       const char *what)
{
    enum status status = cuda_check(
        cuda, cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, cuda->stream), what);
    return status == STATUS_OK ? cuda_finish(cuda, what) : status;
}

void cuda_close(struct solver **solver)
{
    if (!*solver)
        return;
    struct cuda *cuda = cuda_of(*solver);
    (void)cudaSetDevice(cuda->device);
    if (cuda->stream)
        (void)cudaStreamSynchronize(cuda->stream);
    cuda_forget_graphs(cuda);
    for (int t = 0; t < CUDA_TIMERS; t++)
        for (int e = 0; e < 2; e++)
            if (cuda->timer[t][e])
                (void)cudaEventDestroy(cuda->timer[t][e]);
    if (cuda->stream)
        (void)cudaStreamDestroy(cuda->stream);
    void *const memory[] = {cuda->rows,        cuda->wide,        cuda->part,
                            cuda->wide_part,   cuda->position,    cuda->velocity,
                            cuda->slots,       cuda->found,       cuda->acceleration,
                            cuda->tile_mass,   cuda->kept,        cuda->halves,
                            cuda->wide_halves, cuda->part_halves, cuda->wide_part_halves};
    for (size_t m = 0; m < sizeof memory / sizeof *memory; m++)
        (void)cudaFree(memory[m]);
    free(cuda->mass);
    free(cuda);
    *solver = NULL;
}

static size_t padded(size_t count)
{
    return (count + FORCE_CUDA_PAD - 1) / FORCE_CUDA_PAD * FORCE_CUDA_PAD;
}

/* Zeroed, so that rows of padding and of parts have no mass. */
static enum status allocate(struct cuda *cuda)
{
    size_t count = cuda->solver.count, state = count * sizeof(double[3]);
    size_t sources = padded((count + cuda->subset - 1) / cuda->subset);
    bool wide = cuda->mode == &force_double, some = cuda->subset > 1;
    size_t halves = cuda->mixed ? padded(count) : 0,
           part_halves = cuda->mixed && some ? sources : 0;
    const struct {
        void **pointer;
        size_t bytes;
    } wanted[] = {
        {(void **)&cuda->rows, padded(count) * sizeof(float[4])},
        {(void **)&cuda->wide, wide ? padded(count) * sizeof(double[4]) : 0},
        {(void **)&cuda->part, some && !wide ? sources * sizeof(float[4]) : 0},
        {(void **)&cuda->wide_part, some && wide ? sources * sizeof(double[4]) : 0},
        {(void **)&cuda->halves, wide ? 0 : halves * sizeof(float)},
        {(void **)&cuda->wide_halves, wide ? halves * sizeof(double) : 0},
        {(void **)&cuda->part_halves, wide ? 0 : part_halves * sizeof(float)},
        {(void **)&cuda->wide_part_halves, wide ? part_halves * sizeof(double) : 0},
        {(void **)&cuda->position, state},
        {(void **)&cuda->velocity, state},
        {(void **)&cuda->acceleration, state},
        {(void **)&cuda->tile_mass, cuda->by_plan ? cuda->plan.tiles * sizeof(float) : 0},
        {(void **)&cuda->slots, cuda->slot_bytes},
        {(void **)&cuda->found, sizeof *cuda->found},
    };
    int error = cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking);
    for (size_t w = 0; error == cudaSuccess && w < sizeof wanted / sizeof *wanted; w++) {
        if (wanted[w].bytes == 0)
            continue;
        error = cudaMalloc(wanted[w].pointer, wanted[w].bytes);
        if (error == cudaSuccess)
            error = cudaMemsetAsync(*wanted[w].pointer, 0, wanted[w].bytes, cuda->stream);
    }
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        return status_fail(STATUS_RUNTIME,
                           "%s has no room for %zu bodies (kernel %s); ask for fewer bodies with "
                           "-n, or use --backend cpu",
                           cuda->solver.device, count, cuda->kernel_name);
    }
    for (int t = 0; t < CUDA_TIMERS; t++)
        for (int e = 0; error == cudaSuccess && e < 2; e++)
            error = cudaEventCreate(&cuda->timer[t][e]);
    return cuda_check(cuda, error, "set up a solver");
}

static int upload(struct cuda *cuda, void *device, const void *host, size_t bytes)
{
    return cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, cuda->stream);
}

static enum status count_tiles(struct cuda *cuda)
{
    size_t tiles = cuda->plan.scheme == FORCE_CUDA_PAIRS ? cuda->plan.tiles : 0;
    float *mass = malloc((tiles + 1) * sizeof *mass);
    if (!mass)
        return status_fail(STATUS_RUNTIME, "no memory for the masses of %zu tiles", tiles);
    enum status status = STATUS_OK;
    if (tiles > 0)
        status = cuda_fetch(cuda, mass, cuda->tile_mass, tiles * sizeof *mass, "load the bodies");
    if (status == STATUS_OK && tiles > 0)
        force_cuda_count_tiles(&cuda->plan, mass);
    free(mass);
    return status;
}

static enum status load_halves(struct cuda *cuda, const struct bodies *bodies)
{
    size_t rows = padded(bodies->count);
    bool wide = cuda->wide_halves != NULL;
    size_t bytes = rows * (wide ? sizeof(double) : sizeof(float));
    void *halves = malloc(bytes);
    if (!halves)
        return status_fail(STATUS_RUNTIME, "no memory for the softenings of %zu bodies",
                           bodies->count);
    softening_halves(bodies, cuda->softening, rows, wide ? NULL : halves, wide ? halves : NULL);
    int error = upload(cuda, wide ? (void *)cuda->wide_halves : cuda->halves, halves, bytes);
    int finished = cudaStreamSynchronize(cuda->stream);
    free(halves);
    return cuda_check(cuda, error == cudaSuccess ? finished : error, "load the softenings");
}

static enum status load(struct cuda *cuda, const struct bodies *bodies)
{
    size_t count = cuda->solver.count, state = count * sizeof(double[3]);
    float(*rows)[4] = malloc(count * sizeof *rows);
    double(*wide)[4] = malloc(cuda->wide ? count * sizeof *wide : 1);
    cuda->mass = malloc(count * sizeof *cuda->mass);
    if (!rows || !wide || !cuda->mass) {
        free(rows);
        free(wide);
        return status_fail(STATUS_RUNTIME, "%zu bodies do not fit in memory; ask for fewer with -n",
                           count);
    }
    memcpy(cuda->mass, bodies->mass, count * sizeof *cuda->mass);
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 4; c++) {
            double number = c < 3 ? bodies->position[i][c] : bodies->mass[i];
            rows[i][c] = (float)number;
            if (cuda->wide)
                wide[i][c] = number;
        }

    int error = upload(cuda, cuda->rows, rows, count * sizeof *rows);
    if (error == cudaSuccess && cuda->wide)
        error = upload(cuda, cuda->wide, wide, count * sizeof *wide);
    if (error == cudaSuccess)
        error = upload(cuda, cuda->position, bodies->position, state);
    if (error == cudaSuccess)
        error = upload(cuda, cuda->velocity, bodies->velocity, state);
    if (error == cudaSuccess && cuda->by_plan)
        error = force_cuda_tile_masses(&cuda->plan, cuda->rows, cuda->tile_mass, cuda->stream);
    int finished = cudaStreamSynchronize(cuda->stream);
    free(rows);
    free(wide);
    enum status status =
        cuda_check(cuda, error == cudaSuccess ? finished : error, "load the bodies");
    return status == STATUS_OK && cuda->by_plan ? count_tiles(cuda) : status;
}

enum status cuda_open(const struct solver_params *params, const struct bodies *bodies,
                      struct solver **out)
{
    struct cudaDeviceProp properties;
    struct cuda *cuda = calloc(1, sizeof *cuda);
    if (!cuda)
        return status_fail(STATUS_RUNTIME, "no memory for a solver");
    cuda->solver = (struct solver){.ops = &solver_cuda, .count = bodies->count};
    cuda->device = params->device;
    cuda->softening = params->softening;
    cuda->kernel_name = "none yet";
    snprintf(cuda->solver.device, sizeof cuda->solver.device, "CUDA device %d", params->device);

    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK)
        status = cuda_check(cuda, cudaGetDeviceProperties(&properties, params->device),
                            "ask for the device's properties");
    if (status == STATUS_OK) {
        snprintf(cuda->solver.device, sizeof cuda->solver.device, "%.100s", properties.name);
        status = cuda_plan(cuda, params, properties.multiProcessorCount);
    }
    if (status == STATUS_OK)
        status = allocate(cuda);
    if (status == STATUS_OK)
        status = load(cuda, bodies);
    if (status == STATUS_OK && cuda->mixed)
        status = load_halves(cuda, bodies);
    if (status != STATUS_OK) {
        cuda_close(&(struct solver *){&cuda->solver});
        return status;
    }
    *out = &cuda->solver;
    return STATUS_OK;
}
