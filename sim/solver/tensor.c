#include "sim/solver/tensor.h"

enum status tensor_takes(const struct force_request *request)
{
    if (request->subset > 1)
        return status_fail(STATUS_USAGE,
                           "simulation.subset is %zu, but the force tensor needs all sources; set "
                           "simulation.subset to 1 or simulation.force to fast",
                           request->subset);
    if (request->spline)
        return status_fail(STATUS_USAGE,
                           "simulation.softening_kernel is spline, which the force tensor does not "
                           "have; set simulation.force to fast, or simulation.softening_kernel to "
                           "plummer");
    if (request->mixed)
        return status_fail(STATUS_USAGE,
                           "components have softenings of their own, but the force tensor takes "
                           "one for all bodies; set simulation.force to fast");
    return STATUS_OK;
}

/* In cuda/tensor.c; without CUDA in cuda/none.c. */
extern const struct force_path tensor_cuda;

const struct force_ops force_tensor = {
    .name = "tensor",
    .doc = "all pairs on the matrix units of a GPU; errors below 5e-6",
    .number = sizeof(double),
    .cuda = &tensor_cuda,
};
