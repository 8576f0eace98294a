#include "sim/solver/cuda/cuda_state.h"

#include "kernels/pairs/cuda/pairs.h"
#include "kernels/steps/device_state.h"

#include <cuda_runtime_api.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

enum status cuda_check(const struct cuda *cuda, int error, const char *what)
{
    if (error == cudaSuccess)
        return STATUS_OK;
    return status_fail(STATUS_RUNTIME, "CUDA could not %s (kernel %s, N = %zu, %s): %s", what,
                       cuda->solver.force ? cuda->solver.force->name : "none yet",
                       cuda->solver.count, cuda->solver.device,
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
    const struct force *force = cuda->solver.force;
    if (status == STATUS_OK && force && force->path->look)
        status = force->path->look(cuda->solver.force, cuda->stream);
    return status;
}

enum status cuda_fetch(struct cuda *cuda, void *host, const void *device, size_t bytes,
                       const char *what)
{
    enum status status = cuda_check(
        cuda, cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, cuda->stream), what);
    return status == STATUS_OK ? cuda_finish(cuda, what) : status;
}

enum status cuda_settle(struct cuda *cuda)
{
    int error = cudaSuccess;
    for (int k = 0; error == cudaSuccess && k < cuda->pending; k++)
        error = state_cuda_kick(cuda->solver.count, cuda->velocity, cuda->acceleration,
                                cuda->pending_kick[k], cuda->stream);
    cuda->pending = 0;
    return cuda_check(cuda, error, "kick the bodies");
}

enum status cuda_begin(struct cuda *cuda)
{
    enum status status = cuda_enter(cuda);
    return status == STATUS_OK ? cuda_settle(cuda) : status;
}

/* Only records the kick; the next drift makes it in the same launch. */
enum status cuda_kick(struct solver *solver, double dt)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK && cuda->pending == CUDA_PENDING)
        status = cuda_settle(cuda);
    if (status == STATUS_OK)
        cuda->pending_kick[cuda->pending++] = dt;
    return status;
}

enum status cuda_drift(struct solver *solver, double dt)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_enter(cuda);
    if (status != STATUS_OK)
        return status;
    double kick = cuda->pending > 0 ? cuda->pending_kick[0] : 0;
    double second = cuda->pending > 1 ? cuda->pending_kick[1] : 0;
    cuda->pending = 0;
    int error =
        cuda->order
            ? state_cuda_drift_tiled(solver->count, cuda->chosen, cuda->position, cuda->velocity,
                                     cuda->acceleration, kick, second, dt, cuda->order,
                                     cuda->centres, cuda->rows, cuda->stream)
            : state_cuda_drift(solver->count, cuda->position, cuda->velocity, cuda->acceleration,
                               kick, second, dt, cuda->number, cuda->rows, cuda->stream);
    return cuda_check(cuda, error, "move the bodies");
}

enum status cuda_damp(struct solver *solver, double factor)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_begin(cuda);
    if (status == STATUS_OK)
        status =
            cuda_check(cuda, state_cuda_damp(solver->count, cuda->velocity, factor, cuda->stream),
                       "damp the velocities");
    return status;
}

/* Copies the state to its saved copy, or back. */
static enum status copy_state(struct cuda *cuda, bool back)
{
    size_t n = cuda->solver.count, bytes = n * sizeof(double[3]);
    double *const state[] = {cuda->position, cuda->velocity, cuda->acceleration};
    int error = cudaSuccess;
    for (size_t k = 0; error == cudaSuccess && k < 3; k++) {
        double *aside = cuda->kept + 3 * n * k;
        error = cudaMemcpyAsync(back ? state[k] : aside, back ? aside : state[k], bytes,
                                cudaMemcpyDeviceToDevice, cuda->stream);
    }
    return cuda_check(cuda, error, back ? "restore the bodies" : "keep the bodies");
}

enum status cuda_keep(struct solver *solver)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_begin(cuda);
    if (status == STATUS_OK && !cuda->kept)
        status = cuda_check(cuda,
                            cudaMalloc((void **)&cuda->kept, 3 * solver->count * sizeof(double[3])),
                            "allocate room to keep the bodies for a step");
    cuda->kept_turn = solver->turn;
    return status == STATUS_OK ? copy_state(cuda, false) : status;
}

enum status cuda_restore(struct solver *solver)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_enter(cuda);
    cuda->pending = 0;
    if (status == STATUS_OK)
        status = copy_state(cuda, true);
    solver->turn = cuda->kept_turn;
    return status == STATUS_OK ? cuda_drift(solver, 0) : status; /* only fills the rows */
}

enum status cuda_save(struct solver *solver, struct bodies *bodies)
{
    struct cuda *cuda = cuda_of(solver);
    size_t bytes = solver->count * sizeof(double[3]);
    enum status status = cuda_begin(cuda);
    if (status == STATUS_OK)
        status = cuda_fetch(cuda, bodies->position, cuda->position, bytes, "save the positions");
    if (status == STATUS_OK)
        status = cuda_fetch(cuda, bodies->velocity, cuda->velocity, bytes, "save the velocities");
    return status;
}

enum status cuda_load(struct solver *solver, const double (*position)[3],
                      const double (*velocity)[3], const double (*acceleration)[3])
{
    struct cuda *cuda = cuda_of(solver);
    const char *what = "load the bodies";
    const double *const from[] = {position[0], velocity[0], acceleration[0]};
    double *const to[] = {cuda->position, cuda->velocity, cuda->acceleration};
    enum status status = cuda_enter(cuda);
    cuda->pending = 0;
    if (solver->force)
        solver->force->past = FORCE_PAST_OPEN;
    for (size_t k = 0; status == STATUS_OK && k < 3; k++)
        status = cuda_check(cuda,
                            cudaMemcpyAsync(to[k], from[k], solver->count * sizeof(double[3]),
                                            cudaMemcpyHostToDevice, cuda->stream),
                            what);
    if (status == STATUS_OK)
        status = cuda_drift(solver, 0); /* only fills the rows */
    return status == STATUS_OK ? cuda_finish(cuda, what) : status;
}

enum status cuda_find_broken(struct solver *solver, size_t *body)
{
    struct cuda *cuda = cuda_of(solver);
    const char *what = "look for broken bodies";
    unsigned first = UINT_MAX, *found = (unsigned *)cuda->found;
    enum status status = cuda_begin(cuda);
    if (status == STATUS_OK)
        status = cuda_check(cuda,
                            state_cuda_find_broken(solver->count, cuda->position, cuda->velocity,
                                                   found, cuda->stream),
                            what);
    if (status == STATUS_OK)
        status = cuda_fetch(cuda, &first, found, sizeof first, what);
    *body = first < solver->count ? first : SOLVER_NONE;
    return status;
}

enum status cuda_accelerations(struct solver *solver, double (*out)[3])
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK)
        status = cuda_fetch(cuda, out, cuda->acceleration, solver->count * sizeof *out,
                            "fetch the accelerations");
    return status;
}

enum status cuda_largest(struct solver *solver, double *acceleration)
{
    struct cuda *cuda = cuda_of(solver);
    const char *what = "look for the largest acceleration";
    double square = 0;
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK)
        status = cuda_check(cuda,
                            state_cuda_largest(solver->count, cuda->acceleration,
                                               (double *)cuda->found, cuda->stream),
                            what);
    if (status == STATUS_OK)
        status = cuda_fetch(cuda, &square, cuda->found, sizeof square, what);
    *acceleration = sqrt(square);
    return status;
}

enum status cuda_memory(struct solver *solver, uint64_t *bytes)
{
    struct cuda *cuda = cuda_of(solver);
    size_t free_bytes = 0, all = 0;
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK)
        status = cuda_check(cuda, cudaMemGetInfo(&free_bytes, &all), "ask for free memory");
    *bytes = cuda->free_before > free_bytes ? cuda->free_before - free_bytes : 0;
    return status;
}

static enum status fail_count(int error)
{
    int driver = 0, runtime = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    (void)cudaGetLastError();
    if (driver == 0)
        return status_fail(STATUS_DEVICE, "there is no NVIDIA driver on this machine (libcuda.so.1 "
                                          "was not found); install it, or use --backend cpu");
    if (error == cudaErrorInsufficientDriver)
        return status_fail(STATUS_DEVICE,
                           "the NVIDIA driver is for CUDA %d.%d and this program needs %d.%d; "
                           "update the driver, or use --backend cpu",
                           driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    if (error == cudaErrorNoDevice)
        return status_fail(STATUS_DEVICE, "the NVIDIA driver finds no device; check nvidia-smi and "
                                          "CUDA_VISIBLE_DEVICES, or use --backend cpu");
    return status_fail(STATUS_DEVICE, "CUDA does not start: %s; use --backend cpu",
                       cudaGetErrorString((cudaError_t)error));
}

enum status cuda_probe(int device)
{
    int count = 0, error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
        return fail_count(error == cudaSuccess ? cudaErrorNoDevice : error);
    if (device < 0 || device >= count)
        return status_fail(STATUS_DEVICE, "there is no CUDA device %d; there are %d, from 0",
                           device, count);

    struct cudaDeviceProp properties;
    error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess)
        error = cudaSetDevice(device);
    if (error == cudaSuccess)
        error = force_cuda_supported();
    if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction)
        return status_fail(
            STATUS_DEVICE,
            "%s has compute capability %d.%d, and this program holds no code for it; "
            "build with -DCMAKE_CUDA_ARCHITECTURES=%d%d, or use --backend cpu",
            properties.name, properties.major, properties.minor, properties.major,
            properties.minor);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return status_fail(STATUS_DEVICE, "CUDA device %d does not start: %s; use --backend cpu",
                           device, cudaGetErrorString((cudaError_t)error));
    }
    return STATUS_OK;
}

enum status cuda_describe(int device, char *text, size_t size)
{
    struct cudaDeviceProp properties;
    int error = cudaGetDeviceProperties(&properties, device);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return status_fail(STATUS_DEVICE, "CUDA device %d gives no properties: %s", device,
                           cudaGetErrorString((cudaError_t)error));
    }
    snprintf(text, size, "%s, %d multiprocessors, %.1f GiB, compute capability %d.%d",
             properties.name, properties.multiProcessorCount,
             (double)properties.totalGlobalMem / (1 << 30), properties.major, properties.minor);
    return STATUS_OK;
}

/* GA100 and GH100 (A100, A30, H100, H200): the table "Video Encode and Decode GPU Support Matrix"
 * of NVIDIA's Video Codec SDK. */
bool cuda_encodes(int device)
{
    static const int without[] = {80, 90};
    int major = 0, minor = 0;
    (void)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    (void)cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
        if (10 * major + minor == without[i])
            return false;
    return true;
}
