/* The CPU loops: compiled once each, or once an instruction set. */
#ifndef KERNELS_LADDER_RUNGS_CPU_H
#define KERNELS_LADDER_RUNGS_CPU_H

#include "kernels/ladder/ladder.h"

void ladder_serial(const struct ladder_bodies *bodies);
void ladder_plain_baseline(const struct ladder_bodies *bodies);
void ladder_plain_avx2(const struct ladder_bodies *bodies);
void ladder_plain_avx512(const struct ladder_bodies *bodies);

#endif
