/* The tree that gives the same bits everywhere on a CUDA device, as the path of a force. */
#ifndef SIM_GRAVITY_EXACT_TREE_CUDA_H
#define SIM_GRAVITY_EXACT_TREE_CUDA_H

#include "sim/gravity/force.h"

extern const struct force_path tree_exact_cuda;

#endif
