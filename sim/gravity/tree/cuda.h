/* Gravity by a tree on a CUDA device, as the path of a force. */
#pragma once

#include "sim/gravity/force.h"

extern const struct force_path tree_cuda;
