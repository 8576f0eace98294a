#include "kernels/ladder/plane.h"

const struct plane_rung *const plane_cuda_rungs[] = {NULL};
