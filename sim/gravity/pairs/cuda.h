/* The evaluation of all pairs on a CUDA device: the paths that sim/gravity/pairs/pairs.c lists. */
#ifndef SIM_GRAVITY_PAIRS_CUDA_H
#define SIM_GRAVITY_PAIRS_CUDA_H

#include "sim/gravity/force.h"

extern const struct force_path pairs_cuda_fast, pairs_cuda_exact, pairs_cuda_double;

#endif
