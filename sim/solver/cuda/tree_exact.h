/* The tree that gives the same bits everywhere on a CUDA device, as the path of a force. */
#ifndef SIM_SOLVER_CUDA_TREE_EXACT_H
#define SIM_SOLVER_CUDA_TREE_EXACT_H

#include "sim/solver/force.h"

extern const struct force_path tree_exact_cuda;

#endif
