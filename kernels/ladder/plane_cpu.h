/* The CPU rungs of plane.h. */
#pragma once

#include "kernels/ladder/plane.h"

extern const struct plane_rung *const plane_cpu_rungs[]; /* NULL-terminated, in published order */
