/* The plain loop, one thread, no vectors. */
#pragma once

#include "kernels/ladder/rung.h"

void ladder_serial(const struct ladder_bodies *bodies);
