/* The evaluation of all pairs on a CUDA device: the paths that sim/gravity/pairs/pairs.c lists. */
#pragma once

#include "sim/gravity/force.h"

extern const struct force_path pairs_cuda_fast, pairs_cuda_exact, pairs_cuda_double;
