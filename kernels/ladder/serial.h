/* The plain loop, one thread, no vectors. */
#ifndef KERNELS_LADDER_SERIAL_H
#define KERNELS_LADDER_SERIAL_H

#include "kernels/ladder/rung.h"

void ladder_serial(const struct ladder_bodies *bodies);

#endif
