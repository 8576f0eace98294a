/* All pairs on matrix units, as the path of a force. */
#ifndef SIM_SOLVER_CUDA_TENSOR_H
#define SIM_SOLVER_CUDA_TENSOR_H

#include "sim/solver/force.h"

extern const struct force_path tensor_cuda;

#endif
