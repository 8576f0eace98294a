#include "sim/solver/cuda/cuda.h"
#include "sim/solver/cuda/pairs.h"
#include "sim/solver/cuda/tensor.h"
#include "sim/solver/cuda/tree.h"
#include "sim/solver/cuda/tree_exact.h"

static enum status probe(int device)
{
    (void)device;
    return status_fail(STATUS_DEVICE, "this program was built without CUDA; build it where nvcc is "
                                      "found, or use --backend cpu");
}

const struct solver_ops solver_cuda = {
    .name = "cuda",
    .doc = "NVIDIA GPU (not built in)",
    .on_gpu = true,
    .probe = probe,
};

/* Never opened, because the probe fails. */
const struct force_path pairs_cuda_fast, pairs_cuda_exact, pairs_cuda_double, tensor_cuda,
    tree_cuda, tree_exact_cuda;
