/* How a CUDA device evaluates the forces of all pairs: the paths that sim/solver/pairs.c lists. */
#ifndef SIM_SOLVER_CUDA_PAIRS_H
#define SIM_SOLVER_CUDA_PAIRS_H

#include "sim/solver/force.h"

extern const struct force_path pairs_cuda_fast, pairs_cuda_exact, pairs_cuda_double;

#endif
