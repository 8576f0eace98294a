/* Upper bounds on the processor's throughput, measured on one thread: the loops of bound_isa.h for
 * each instruction set. */
#pragma once

#include "kernels/ladder/bound_isa.h"

#include <stdbool.h>

struct ladder_bound {
    const char *name; /* as in kernels/pairs/force.h: "avx512" */
    bool (*usable)(void);
    ladder_work *multiply_adds, *roots;
    ladder_mixed_work *interactions;
};

extern const struct ladder_bound *const ladder_bounds[]; /* NULL-terminated, best first */
