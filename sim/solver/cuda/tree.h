/* Gravity by a tree on a CUDA device, as the path of a force. */
#ifndef SIM_SOLVER_CUDA_TREE_H
#define SIM_SOLVER_CUDA_TREE_H

#include "sim/solver/force.h"

extern const struct force_path tree_cuda;

#endif
