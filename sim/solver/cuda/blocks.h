/* Steps per body on CUDA: rungs stay on the device, and choosing them waits for their numbers, the
 * one wait of a step. */
#ifndef SIM_SOLVER_CUDA_BLOCKS_H
#define SIM_SOLVER_CUDA_BLOCKS_H

#include "sim/solver/solver.h"

extern const struct solver_blocks cuda_blocks;

#endif
