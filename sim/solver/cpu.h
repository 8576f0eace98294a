/* The backend that runs everywhere: OpenMP and SIMD. */
#pragma once

#include "sim/solver/solver.h"

extern const struct solver_ops solver_cpu;
