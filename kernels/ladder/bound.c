#include "kernels/ladder/bound.h"
#include "kernels/isa.h"

#include <stddef.h>

#define BOUND(isa)                                                                                 \
    static const struct ladder_bound bound_##isa = {                                               \
        .name = #isa,                                                                              \
        .usable = cpu_has_##isa,                                                                   \
        .multiply_adds = ladder_multiply_adds_##isa,                                               \
        .roots = ladder_roots_##isa,                                                               \
        .interactions = ladder_interactions_##isa,                                                 \
    };
EACH_ISA(BOUND)

#define ROW(isa) &bound_##isa,
const struct ladder_bound *const ladder_bounds[] = {EACH_ISA(ROW) NULL};
