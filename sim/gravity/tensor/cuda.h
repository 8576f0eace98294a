/* All pairs on matrix units, as the path of a force. */
#ifndef SIM_GRAVITY_TENSOR_CUDA_H
#define SIM_GRAVITY_TENSOR_CUDA_H

#include "sim/gravity/force.h"

extern const struct force_path tensor_cuda;

#endif
