/* Steps per body on the CPU. */
#ifndef SIM_SOLVER_CPU_BLOCKS_H
#define SIM_SOLVER_CPU_BLOCKS_H

#include "sim/solver/solver.h"

extern const struct solver_blocks cpu_blocks;

#endif
