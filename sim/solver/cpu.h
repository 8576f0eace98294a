/* The backend that runs everywhere: OpenMP and SIMD. */
#ifndef SIM_SOLVER_CPU_H
#define SIM_SOLVER_CPU_H

#include "sim/solver/solver.h"

extern const struct solver_ops solver_cpu;

#endif
