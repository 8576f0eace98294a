/* The leapfrog, the building block of other integrators. */
#pragma once

#include "sim/integrators/integrator.h"
#include "sim/integrators/motion.h"

extern const struct integrator integrator_kdk;

/* kick dt/2, drift dt, kick dt/2 */
void kdk(struct motion *motion, double dt);
