/* The backend for NVIDIA GPUs. When built without CUDA, its table has a probe that reports it. */
#pragma once

#include "sim/solver/solver.h"

extern const struct solver_ops solver_cuda;
