/* The tree that gives the same bits everywhere on a CUDA device, as the path of a force. */
#pragma once

#include "sim/gravity/force.h"

extern const struct force_path tree_exact_cuda;
