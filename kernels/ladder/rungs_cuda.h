/* The CUDA rungs, each building on the previous one. */
#pragma once

#include "kernels/ladder/rung.h"

/* NULL-terminated; empty when built without CUDA. */
extern const struct ladder_rung *const ladder_cuda_rungs[];
