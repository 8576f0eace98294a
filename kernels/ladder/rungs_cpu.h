/* The CPU rungs. */
#pragma once

#include "kernels/ladder/rung.h"

extern const struct ladder_rung *const ladder_cpu_rungs[]; /* NULL-terminated, in published order */
