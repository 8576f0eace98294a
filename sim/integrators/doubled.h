/* Steps of twice the length for bodies whose softening is large, on top of kdk. */
#pragma once

#include "sim/integrators/integrator.h"

extern const struct integrator integrator_doubled;
