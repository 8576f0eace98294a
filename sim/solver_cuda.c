#include "sim/solver_cuda.h"
#include "kernels/force_cuda.h"
#include "kernels/state_cuda.h"

#include <cuda_runtime_api.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMERS = 32 };

static const size_t SLOT_BUDGET = (size_t)1 << 30;

struct cuda {
    struct solver solver;
    struct force_cuda_plan plan;
    int device;
    float softening;
    double *mass; /* host */
    float *rows;  /* device from here on; padded; always of the present positions */
    double *position, *velocity, *acceleration;
    float *tile_mass, *slots;
    unsigned *broken;
    cudaStream_t stream;
    cudaEvent_t timer[TIMERS][2]; /* start and end of the forces not yet added to force_seconds */
    int timed;
};

static struct cuda *cuda_of(struct solver *solver)
{
    return (struct cuda *)solver;
}

static enum status check(const struct cuda *cuda, int error, const char *what)
{
    if (error == cudaSuccess)
        return STATUS_OK;
    return status_fail(STATUS_RUNTIME, "CUDA could not %s (kernel %s, N = %zu, %s): %s", what,
                       cuda->plan.name, cuda->solver.count, cuda->solver.device,
                       cudaGetErrorString((cudaError_t)error));
}

/* The device is a property of the calling thread, and a solver may change threads. */
static enum status enter(const struct cuda *cuda)
{
    return check(cuda, cudaSetDevice(cuda->device), "select the device");
}

/* ---- open and close ---- */

static void cuda_close(struct solver **solver)
{
    if (!*solver)
        return;
    struct cuda *cuda = cuda_of(*solver);
    (void)cudaSetDevice(cuda->device);
    if (cuda->stream)
        (void)cudaStreamSynchronize(cuda->stream);
    for (int t = 0; t < TIMERS; t++)
        for (int e = 0; e < 2; e++)
            if (cuda->timer[t][e])
                (void)cudaEventDestroy(cuda->timer[t][e]);
    if (cuda->stream)
        (void)cudaStreamDestroy(cuda->stream);
    (void)cudaFree(cuda->rows);
    (void)cudaFree(cuda->position);
    (void)cudaFree(cuda->velocity);
    (void)cudaFree(cuda->acceleration);
    (void)cudaFree(cuda->tile_mass);
    (void)cudaFree(cuda->slots);
    (void)cudaFree(cuda->broken);
    free(cuda->mass);
    free(cuda);
    *solver = NULL;
}

static size_t padded(size_t count)
{
    return (count + FORCE_CUDA_PAD - 1) / FORCE_CUDA_PAD * FORCE_CUDA_PAD;
}

static size_t state_bytes(size_t count)
{
    return padded(count) * sizeof(float[4]) + 3 * count * sizeof(double[3]);
}

static enum status make_plan(struct cuda *cuda, const char *path, int multiprocessors)
{
    size_t count = cuda->solver.count, free_bytes = 0, all = 0;
    enum status status = check(cuda, cudaMemGetInfo(&free_bytes, &all), "ask for free memory");
    if (status != STATUS_OK)
        return status;
    size_t state = state_bytes(count), spare = free_bytes > state ? (free_bytes - state) / 2 : 0;
    size_t budget = spare < SLOT_BUDGET ? spare : SLOT_BUDGET;
    if (count > FORCE_CUDA_COUNT_MAX)
        return status_fail(STATUS_USAGE,
                           "%zu bodies are more than the %d that --backend cuda takes", count,
                           FORCE_CUDA_COUNT_MAX);
    if (!force_cuda_plan(count, multiprocessors, budget, path, &cuda->plan))
        return status_fail(STATUS_DEVICE, "there is no CUDA kernel '%s'; choose auto", path);

    const struct force_cuda_plan *plan = &cuda->plan;
    if (plan->scheme == FORCE_CUDA_SPLIT)
        snprintf(cuda->solver.kernel, sizeof cuda->solver.kernel,
                 "all pairs, tiles of %u, sources in %u shares", plan->tile, plan->splits);
    else
        snprintf(cuda->solver.kernel, sizeof cuda->solver.kernel,
                 "pairs once (Newton's third law), tiles of %u, %u wave%s", plan->tile,
                 (plan->distances + plan->wave - 1) / plan->wave,
                 plan->wave < plan->distances ? "s" : "");
    if (state + plan->slot_bytes > free_bytes)
        return status_fail(STATUS_RUNTIME,
                           "%zu bodies need %zu MiB on %s, and %zu MiB are free; ask for fewer "
                           "bodies with -n, or use --backend cpu",
                           count, (state + plan->slot_bytes) >> 20, cuda->solver.device,
                           free_bytes >> 20);
    return STATUS_OK;
}

static enum status allocate(struct cuda *cuda)
{
    size_t count = cuda->solver.count;
    const struct force_cuda_plan *plan = &cuda->plan;
    const struct {
        void **pointer;
        size_t bytes;
    } wanted[] = {
        {(void **)&cuda->rows, padded(count) * sizeof(float[4])},
        {(void **)&cuda->position, count * sizeof(double[3])},
        {(void **)&cuda->velocity, count * sizeof(double[3])},
        {(void **)&cuda->acceleration, count * sizeof(double[3])},
        {(void **)&cuda->tile_mass, plan->tiles * sizeof(float)},
        {(void **)&cuda->slots, plan->slot_bytes},
        {(void **)&cuda->broken, sizeof *cuda->broken},
    };
    int error = cudaSuccess;
    for (size_t w = 0; error == cudaSuccess && w < sizeof wanted / sizeof *wanted; w++)
        error = cudaMalloc(wanted[w].pointer, wanted[w].bytes);
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        return status_fail(STATUS_RUNTIME,
                           "%s has no room for the %zu MiB that %zu bodies need (kernel %s); ask "
                           "for fewer bodies with -n, or use --backend cpu",
                           cuda->solver.device, (state_bytes(count) + plan->slot_bytes) >> 20,
                           count, plan->name);
    }
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking);
    for (int t = 0; t < TIMERS; t++)
        for (int e = 0; error == cudaSuccess && e < 2; e++)
            error = cudaEventCreate(&cuda->timer[t][e]);
    return check(cuda, error, "set up a solver");
}

static enum status load(struct cuda *cuda, const struct bodies *bodies)
{
    size_t count = cuda->solver.count, rows_bytes = padded(count) * sizeof(float[4]);
    float *rows = calloc(1, rows_bytes);
    cuda->mass = malloc(count * sizeof *cuda->mass);
    if (!rows || !cuda->mass) {
        free(rows);
        return status_fail(STATUS_RUNTIME, "%zu bodies do not fit in memory; ask for fewer with -n",
                           count);
    }
    memcpy(cuda->mass, bodies->mass, count * sizeof *cuda->mass);
    for (size_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++)
            rows[4 * i + (size_t)c] = (float)bodies->position[i][c];
        rows[4 * i + 3] = (float)bodies->mass[i];
    }

    size_t bytes = count * sizeof(double[3]);
    cudaStream_t stream = cuda->stream;
    int error = cudaMemcpyAsync(cuda->rows, rows, rows_bytes, cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(cuda->position, bodies->position, bytes, cudaMemcpyHostToDevice,
                                stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(cuda->velocity, bodies->velocity, bytes, cudaMemcpyHostToDevice,
                                stream);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(cuda->acceleration, 0, bytes, stream);
    if (error == cudaSuccess)
        error = force_cuda_tile_masses(&cuda->plan, cuda->rows, cuda->tile_mass, stream);
    int finished = cudaStreamSynchronize(stream);
    free(rows);
    return check(cuda, error == cudaSuccess ? finished : error, "load the bodies");
}

static enum status cuda_open(const struct solver_params *params, const struct bodies *bodies,
                             struct solver **out)
{
    struct cudaDeviceProp properties;
    struct cuda *cuda = calloc(1, sizeof *cuda);
    if (!cuda)
        return status_fail(STATUS_RUNTIME, "no memory for a solver");
    cuda->solver = (struct solver){.ops = &solver_cuda, .count = bodies->count};
    cuda->device = params->device;
    cuda->softening = (float)params->softening;
    cuda->plan.name = "none yet";
    snprintf(cuda->solver.device, sizeof cuda->solver.device, "CUDA device %d", params->device);

    enum status status = enter(cuda);
    if (status == STATUS_OK)
        status = check(cuda, cudaGetDeviceProperties(&properties, params->device),
                       "ask for the device's properties");
    if (status == STATUS_OK) {
        snprintf(cuda->solver.device, sizeof cuda->solver.device, "%.100s", properties.name);
        status = make_plan(cuda, params->isa, properties.multiProcessorCount);
    }
    if (status == STATUS_OK)
        status = allocate(cuda);
    if (status == STATUS_OK)
        status = load(cuda, bodies);
    if (status != STATUS_OK) {
        cuda_close(&(struct solver *){&cuda->solver});
        return status;
    }
    *out = &cuda->solver;
    return STATUS_OK;
}

/* ---- steps ---- */

static enum status finish(struct cuda *cuda, const char *what)
{
    enum status status = check(cuda, cudaStreamSynchronize(cuda->stream), what);
    for (; status == STATUS_OK && cuda->timed > 0; cuda->timed--) {
        float milliseconds = 0;
        cudaEvent_t *timer = cuda->timer[cuda->timed - 1];
        status =
            check(cuda, cudaEventElapsedTime(&milliseconds, timer[0], timer[1]), "time the forces");
        cuda->solver.force_seconds += 1e-3 * (double)milliseconds;
    }
    return status;
}

static enum status cuda_accelerate(struct solver *solver)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = enter(cuda);
    if (status == STATUS_OK && cuda->timed == TIMERS)
        status = finish(cuda, "compute forces");
    if (status != STATUS_OK)
        return status;
    cudaEvent_t *timer = cuda->timer[cuda->timed];
    int error = cudaEventRecord(timer[0], cuda->stream);
    if (error == cudaSuccess)
        error = force_cuda_accelerate(&cuda->plan, cuda->rows, cuda->tile_mass, cuda->softening,
                                      cuda->slots, cuda->acceleration, cuda->stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(timer[1], cuda->stream);
    if (error == cudaSuccess)
        cuda->timed++;
    solver->interactions += (double)solver->count * (double)solver->count;
    return check(cuda, error, "compute forces");
}

static enum status cuda_kick(struct solver *solver, double dt)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = enter(cuda);
    if (status == STATUS_OK)
        status = check(
            cuda,
            state_cuda_kick(solver->count, cuda->velocity, cuda->acceleration, dt, cuda->stream),
            "kick the bodies");
    return status;
}

static enum status cuda_drift(struct solver *solver, double dt)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = enter(cuda);
    if (status == STATUS_OK)
        status = check(cuda,
                       state_cuda_drift(solver->count, cuda->position, cuda->velocity, dt,
                                        cuda->rows, cuda->stream),
                       "move the bodies");
    return status;
}

static enum status fetch(struct cuda *cuda, void *host, const void *device, size_t bytes,
                         const char *what)
{
    enum status status = check(
        cuda, cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, cuda->stream), what);
    return status == STATUS_OK ? finish(cuda, what) : status;
}

static enum status cuda_potential(struct solver *solver, double *energy)
{
    struct cuda *cuda = cuda_of(solver);
    const char *what = "compute the potential";
    double *phi = malloc(solver->count * sizeof *phi), *device_phi = (double *)cuda->slots;
    if (!phi)
        return status_fail(STATUS_RUNTIME, "no memory for the potential of %zu bodies",
                           solver->count);
    enum status status = enter(cuda);
    if (status == STATUS_OK)
        status = check(cuda,
                       force_cuda_potential(solver->count, cuda->rows, cuda->softening, device_phi,
                                            cuda->stream),
                       what);
    if (status == STATUS_OK)
        status = fetch(cuda, phi, device_phi, solver->count * sizeof *phi, what);
    double sum = 0;
    for (size_t i = 0; status == STATUS_OK && i < solver->count; i++)
        sum += cuda->mass[i] * phi[i];
    free(phi);
    *energy = sum / 2;
    return status;
}

static enum status cuda_save(struct solver *solver, struct bodies *bodies)
{
    struct cuda *cuda = cuda_of(solver);
    size_t bytes = solver->count * sizeof(double[3]);
    enum status status = enter(cuda);
    if (status == STATUS_OK)
        status = fetch(cuda, bodies->position, cuda->position, bytes, "save the positions");
    if (status == STATUS_OK)
        status = fetch(cuda, bodies->velocity, cuda->velocity, bytes, "save the velocities");
    return status;
}

static enum status cuda_find_broken(struct solver *solver, size_t *body)
{
    struct cuda *cuda = cuda_of(solver);
    const char *what = "look for broken bodies";
    unsigned first = UINT_MAX;
    enum status status = enter(cuda);
    if (status == STATUS_OK)
        status = check(cuda,
                       state_cuda_find_broken(solver->count, cuda->position, cuda->velocity,
                                              cuda->broken, cuda->stream),
                       what);
    if (status == STATUS_OK)
        status = fetch(cuda, &first, cuda->broken, sizeof first, what);
    *body = first < solver->count ? first : solver->count;
    return status;
}

static enum status cuda_accelerations(struct solver *solver, double (*out)[3])
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = enter(cuda);
    if (status == STATUS_OK)
        status = fetch(cuda, out, cuda->acceleration, solver->count * sizeof *out,
                       "fetch the accelerations");
    return status;
}

/* ---- views ---- */

static void cuda_view_destroy(struct solver *solver, struct view **view)
{
    if (!*view)
        return;
    (void)cudaSetDevice(cuda_of(solver)->device);
    (void)cudaFree((*view)->position);
    (void)cudaFree((*view)->velocity);
    free(*view);
    *view = NULL;
}

static enum status cuda_view_create(struct solver *solver, struct view **out)
{
    struct cuda *cuda = cuda_of(solver);
    size_t bytes = solver->count * sizeof(float[4]);
    *out = NULL;
    enum status status = enter(cuda);
    if (status != STATUS_OK)
        return status;
    struct view *view = calloc(1, sizeof *view);
    if (!view)
        return status_fail(STATUS_RUNTIME, "no memory for a view of %zu bodies", solver->count);
    *view = (struct view){.memory = VIEW_CUDA, .device = cuda->device, .count = solver->count};
    int error = cudaMalloc((void **)&view->position, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&view->velocity, bytes);
    if (error != cudaSuccess) {
        cuda_view_destroy(solver, &view);
        (void)cudaGetLastError();
        return status_fail(STATUS_RUNTIME,
                           "%s has no room for a view of %zu bodies, %zu MiB (%s); ask for fewer "
                           "bodies with -n",
                           solver->device, solver->count, 2 * bytes >> 20,
                           cudaGetErrorString((cudaError_t)error));
    }
    *out = view;
    return STATUS_OK;
}

static enum status cuda_view_fill(struct solver *solver, struct view *view)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = enter(cuda);
    if (status == STATUS_OK)
        status =
            check(cuda,
                  state_cuda_view(solver->count, cuda->rows, cuda->velocity, cuda->acceleration,
                                  view->position, view->velocity, cuda->stream),
                  "fill a view");
    return status == STATUS_OK ? finish(cuda, "fill a view") : status;
}

const struct solver_ops solver_cuda = {
    .name = "cuda",
    .doc = "all pairs on an NVIDIA GPU",
    .probe = solver_cuda_probe,
    .describe = solver_cuda_describe,
    .open = cuda_open,
    .accelerate = cuda_accelerate,
    .kick = cuda_kick,
    .drift = cuda_drift,
    .potential = cuda_potential,
    .save = cuda_save,
    .find_broken = cuda_find_broken,
    .accelerations = cuda_accelerations,
    .view_create = cuda_view_create,
    .view_fill = cuda_view_fill,
    .view_destroy = cuda_view_destroy,
    .close = cuda_close,
};
