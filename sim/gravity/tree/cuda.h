/* Gravity by a tree on a CUDA device, as the path of a force. */
#ifndef SIM_GRAVITY_TREE_CUDA_H
#define SIM_GRAVITY_TREE_CUDA_H

#include "sim/gravity/force.h"

extern const struct force_path tree_cuda;

#endif
