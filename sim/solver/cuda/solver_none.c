#include "sim/solver/solver.h"

static enum status probe(int device)
{
    (void)device;
    return status_fail(STATUS_DEVICE, "this program was built without CUDA; build it where nvcc is "
                                      "found, or use --backend cpu");
}

const struct solver_ops solver_cuda = {
    .name = "cuda",
    .doc = "NVIDIA GPU (not built in)",
    .views = VIEW_CUDA,
    .numbered = true,
    .probe = probe,
};
