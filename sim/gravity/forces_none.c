#include "sim/gravity/force.h"

static bool never(int device)
{
    (void)device;
    return false;
}

/* Never opened, because the backend's probe fails. */
#define NONE                                                                                       \
    {                                                                                              \
        .backend = "cuda", .runs = never                                                           \
    }
const struct force_path pairs_cuda_fast = NONE, pairs_cuda_exact = NONE, pairs_cuda_double = NONE,
                        tensor_cuda = NONE, tree_cuda = NONE, tree_exact_cuda = NONE;
