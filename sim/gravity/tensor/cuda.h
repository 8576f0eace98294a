/* All pairs on matrix units, as the path of a force. */
#pragma once

#include "sim/gravity/force.h"

extern const struct force_path tensor_cuda;
