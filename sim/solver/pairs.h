/* The forces of all pairs. */
#ifndef SIM_SOLVER_PAIRS_H
#define SIM_SOLVER_PAIRS_H

#include "sim/solver/force.h"

extern const struct force_ops force_fast, force_exact, force_double;

#endif
