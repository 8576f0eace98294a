/* The backend for NVIDIA GPUs. When built without CUDA, its table has a probe that reports it. */
#ifndef SIM_SOLVER_CUDA_CUDA_H
#define SIM_SOLVER_CUDA_CUDA_H

#include "sim/solver/solver.h"

extern const struct solver_ops solver_cuda;

#endif
