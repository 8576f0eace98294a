#include "sim/gravity/tensor/tensor.h"

#include "sim/bodies/bodies.h"

#include <math.h>

/* Error times sqrt(N): 4e-4 for a sphere, 4.5e-3 for a cold collapse at its densest, where pulls at
 * the centre cancel to a hundredth. */
static const double by_chance = 5e-3;

static const double plain = 2e-6; /* error of single precision, dominant if few bodies are far */

/* Random rounding errors, for the number of equal masses with the same effect. */
static double tensor_error(const struct bodies *bodies, double asked)
{
    (void)asked;
    double all = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < bodies->count; i++)
        all += fabs(bodies->mass[i]);
    for (size_t i = 0; i < bodies->count; i++) {
        const double mass = fabs(bodies->mass[i]);
        if (mass > FORCE_TENSOR_HEAVY * all)
            continue;
        sum += mass;
        squares += mass * mass;
    }
    return squares > 0 ? fmax(by_chance * sqrt(squares) / sum, plain) : plain;
}

enum status tensor_takes(const struct force_request *request)
{
    if (request->subset > 1)
        return status_fail(STATUS_USAGE,
                           "simulation.subset is %zu, but the force tensor needs all sources; set "
                           "simulation.subset to 1 or simulation.force to fast",
                           request->subset);
    return STATUS_OK;
}

/* In cuda.c; without CUDA in sim/gravity/none.c. */
extern const struct force_path tensor_cuda;

const struct force_ops force_tensor = {
    .name = "tensor",
    .doc = "all pairs on the matrix units of a GPU; errors of 4e-4 / sqrt(N)",
    .number = sizeof(double),
    .paths = FORCE_PATHS(&tensor_cuda),
    .error = tensor_error,
};
