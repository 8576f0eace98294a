/* The backend that runs on NVIDIA GPUs. Built without CUDA it is a table whose probe says so. */
#ifndef SIM_SOLVER_CUDA_CUDA_H
#define SIM_SOLVER_CUDA_CUDA_H

#include "sim/solver/solver.h"

extern const struct solver_ops solver_cuda;

#endif
