/* The CPU rungs. */
#ifndef KERNELS_LADDER_RUNGS_CPU_H
#define KERNELS_LADDER_RUNGS_CPU_H

#include "kernels/ladder/rung.h"

extern const struct ladder_rung *const ladder_cpu_rungs[]; /* NULL-terminated, in published order */

#endif
