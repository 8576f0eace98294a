#include "kernels/ladder/rungs_cuda.h"

const struct ladder_rung *const ladder_cuda_rungs[] = {NULL};
