/* The forces of all pairs. */
#pragma once

#include "sim/gravity/force.h"

extern const struct force_ops force_fast, force_exact, force_double;
