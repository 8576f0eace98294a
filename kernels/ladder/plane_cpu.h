/* The CPU rungs of plane.h. */
#ifndef KERNELS_LADDER_PLANE_CPU_H
#define KERNELS_LADDER_PLANE_CPU_H

#include "kernels/ladder/plane.h"

extern const struct plane_rung *const plane_cpu_rungs[]; /* NULL-terminated, in published order */

#endif
