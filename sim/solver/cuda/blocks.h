/* Steps per body on CUDA. Rungs stay on the device; choosing them waits for the number of bodies on
 * each rung, the only wait in a step. */
#pragma once

#include "sim/solver/solver.h"

extern const struct solver_blocks cuda_blocks;
