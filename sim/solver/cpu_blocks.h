/* Steps per body on the CPU. */
#pragma once

#include "sim/solver/solver.h"

extern const struct solver_blocks cpu_blocks;
