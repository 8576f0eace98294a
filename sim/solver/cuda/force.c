#include "sim/solver/cuda/force.h"
#include "kernels/steps/state.h"

#include <stdlib.h>

/* With a subset, selects the sources of this turn. */
static int take_turn(struct cuda *cuda)
{
    size_t count = cuda->solver.count, first = cuda->solver.turn % cuda->subset;
    if (cuda->subset == 1)
        return cudaSuccess;
    int error = cuda->order
                    ? state_cuda_part_tiled(count, cuda->rows, cuda->centres, first, cuda->subset,
                                            cuda->part, cuda->part_centres, cuda->stream)
                    : state_cuda_part(count, cuda->number, cuda->rows, first, cuda->subset,
                                      cuda->part, cuda->stream);
    if (error == cudaSuccess && cuda->halves)
        error = state_cuda_part_halves(count, cuda->number, cuda->halves, first, cuda->subset,
                                       cuda->part_halves, cuda->stream);
    return error;
}

static int launch(struct cuda *cuda)
{
    struct force *force = cuda->solver.force;
    int error = take_turn(cuda);
    if (error == cudaSuccess)
        error = force->path->accelerate(force, &cuda->sources, (double(*)[3])cuda->acceleration,
                                        cuda->stream);
    return error;
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

enum status cuda_evaluate(struct cuda *cuda, int from_rung)
{
    struct solver *solver = &cuda->solver;
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK && !cuda->recording && cuda->timed == CUDA_TIMERS)
        status = cuda_finish(cuda, "compute forces");
    if (status == STATUS_OK)
        status = cuda_settle(cuda);
    if (status != STATUS_OK)
        return status;
    cuda->sources.rungs = from_rung < 0 ? NULL : cuda->rungs;
    cuda->sources.from_rung = from_rung;
    int error = cuda->recording ? launch(cuda) : launch_timed(cuda);
    solver->interactions += solver->force->interactions;
    solver->turn++;
    return cuda_check(cuda, error, "compute forces");
}

enum status cuda_accelerate(struct solver *solver)
{
    return cuda_evaluate(cuda_of(solver), -1);
}

enum status cuda_potential(struct solver *solver, double *energy)
{
    struct cuda *cuda = cuda_of(solver);
    const char *what = "compute the potential";
    struct force *force = solver->force;
    double *phi = malloc(solver->count * sizeof *phi), *device_phi = force->work;
    if (!phi)
        return status_fail(STATUS_RUNTIME, "no memory for the potential of %zu bodies, %zu bytes",
                           solver->count, solver->count * sizeof *phi);
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK)
        status = cuda_check(
            cuda, force->path->potential(force, &cuda->sources, device_phi, cuda->stream), what);
    if (status == STATUS_OK)
        status = cuda_fetch(cuda, phi, device_phi, solver->count * sizeof *phi, what);
    double sum = 0;
    for (size_t i = 0; status == STATUS_OK && i < solver->count; i++)
        sum += cuda->mass[i] * phi[i];
    free(phi);
    *energy = sum / 2;
    return status;
}
