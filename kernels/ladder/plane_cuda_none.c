#include "kernels/ladder/plane_cuda.h"

const struct plane_rung *const plane_cuda_rungs[] = {NULL};
