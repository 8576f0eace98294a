#include "sim/gravity/force.h"

#include "sim/bodies/bodies.h"

#include <math.h>

/* Error times sqrt(N): 4e-4 for a sphere. In the middle of a cusp (density r^(-8/3), softening
 * 0.01), pulls cancel to a thousandth, and the few bodies there dominate the RMS: 5.7e-3 to 6.3e-3
 * for 131,072 to a million bodies, and up to 9.9e-3 over a sample of 4,096 of them, with the
 * arithmetic of kernels/tensor emulated on a CPU. */
static const double by_chance = 1e-2;

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

/* In cuda.c; without CUDA in sim/gravity/forces_none.c. */
extern const struct force_path tensor_cuda;

const struct force_ops force_tensor = {
    .name = "tensor",
    .doc = "all pairs on the matrix units of a GPU; errors of 4e-4 / sqrt(N)",
    .number = sizeof(double),
    .paths = FORCE_PATHS(&tensor_cuda),
    .error = tensor_error,
};
