/* The forces of all pairs. */
#ifndef SIM_GRAVITY_PAIRS_PAIRS_H
#define SIM_GRAVITY_PAIRS_PAIRS_H

#include "sim/gravity/force.h"

extern const struct force_ops force_fast, force_exact, force_double;

#endif
