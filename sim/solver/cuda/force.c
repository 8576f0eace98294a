#include "sim/solver/cuda/state.h"
#include "kernels/cuda/double.h"
#include "kernels/cuda/exact.h"
#include "kernels/cuda/pairs.h"
#include "kernels/cuda/state.h"

#include <stdlib.h>

static int launch(struct cuda *cuda)
{
    const float *from = cuda->rows;
    const double *wide_from = cuda->wide;
    const float *halves = cuda->halves, *from_halves = halves;
    const double *wide_halves = cuda->wide_halves, *wide_from_halves = wide_halves;
    float softening = (float)cuda->softening;
    if (cuda->by_plan)
        return force_cuda_accelerate(&cuda->plan, cuda->rows, cuda->tile_mass, softening,
                                     cuda->slots, cuda->acceleration, cuda->stream);
    if (cuda->subset > 1) {
        int error = state_cuda_part(cuda->solver.count, cuda->rows, cuda->wide,
                                    cuda->solver.turn % cuda->subset, cuda->subset, cuda->part,
                                    cuda->wide_part, cuda->stream);
        if (error == cudaSuccess && cuda->mixed)
            error = state_cuda_part_halves(cuda->solver.count, halves, wide_halves,
                                           cuda->solver.turn % cuda->subset, cuda->subset,
                                           cuda->part_halves, cuda->wide_part_halves, cuda->stream);
        if (error != cudaSuccess)
            return error;
        from = cuda->part;
        wide_from = cuda->wide_part;
        from_halves = cuda->part_halves;
        wide_from_halves = cuda->wide_part_halves;
    }
    if (cuda->mode == &force_double)
        return force_double_accelerate(&cuda->direct, cuda->wide, wide_from, cuda->softening,
                                       wide_halves, wide_from_halves, cuda->slots,
                                       cuda->acceleration, cuda->stream);
    if (cuda->mode == &force_exact)
        return force_exact_accelerate(&cuda->direct, cuda->rows, from, softening, halves,
                                      from_halves, cuda->slots, cuda->acceleration, cuda->stream);
    return force_quick_accelerate(&cuda->direct, cuda->rows, from, softening, halves, from_halves,
                                  cuda->slots, cuda->acceleration, cuda->stream);
}

static int launch_timed(struct cuda *cuda)
{
    cudaEvent_t *timer = cuda->timer[cuda->timed];
    int error = cudaEventRecord(timer[0], cuda->stream);
    if (error == cudaSuccess)
        error = launch(cuda);
    if (error == cudaSuccess)
        error = cudaEventRecord(timer[1], cuda->stream);
    if (error == cudaSuccess)
        cuda->timed++;
    return error;
}

enum status cuda_accelerate(struct solver *solver)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK && !cuda->recording && cuda->timed == CUDA_TIMERS)
        status = cuda_finish(cuda, "compute forces");
    if (status == STATUS_OK)
        status = cuda_settle(cuda);
    if (status != STATUS_OK)
        return status;
    int error = cuda->recording ? launch(cuda) : launch_timed(cuda);
    solver->interactions += (double)solver->count * (double)solver->sources;
    solver->turn++;
    return cuda_check(cuda, error, "compute forces");
}

static int launch_potential(struct cuda *cuda, double *phi)
{
    size_t count = cuda->solver.count;
    float softening = (float)cuda->softening;
    if (cuda->mode == &force_double)
        return force_double_potential(count, cuda->wide, cuda->softening, cuda->wide_halves, phi,
                                      cuda->stream);
    if (cuda->mode == &force_exact || cuda->halves)
        return force_exact_potential(count, cuda->rows, softening, cuda->halves, phi, cuda->stream);
    return force_cuda_potential(count, cuda->rows, softening, phi, cuda->stream);
}

enum status cuda_potential(struct solver *solver, double *energy)
{
    struct cuda *cuda = cuda_of(solver);
    const char *what = "compute the potential";
    double *phi = malloc(solver->count * sizeof *phi), *device_phi = cuda->slots;
    if (!phi)
        return status_fail(STATUS_RUNTIME, "no memory for the potential of %zu bodies",
                           solver->count);
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK)
        status = cuda_check(cuda, launch_potential(cuda, device_phi), what);
    if (status == STATUS_OK)
        status = cuda_fetch(cuda, phi, device_phi, solver->count * sizeof *phi, what);
    double sum = 0;
    for (size_t i = 0; status == STATUS_OK && i < solver->count; i++)
        sum += cuda->mass[i] * phi[i];
    free(phi);
    *energy = sum / 2;
    return status;
}
