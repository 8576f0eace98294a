#include "sim/gravity/force.h"

/* Never opened, because the probe fails. */
const struct force_path pairs_cuda_fast, pairs_cuda_exact, pairs_cuda_double, tensor_cuda,
    tree_cuda, tree_exact_cuda;
