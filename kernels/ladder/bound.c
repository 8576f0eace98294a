#include "kernels/ladder/bound.h"
#include "kernels/cpu/isa.h"

#include <stddef.h>

#define BOUND(isa)                                                                                 \
    static const struct ladder_bound bound_##isa = {                                               \
        .name = #isa,                                                                              \
        .usable = cpu_has_##isa,                                                                   \
        .multiply_adds = ladder_multiply_adds_##isa,                                               \
        .roots = ladder_roots_##isa,                                                               \
        .interactions = ladder_interactions_##isa,                                                 \
    }

BOUND(baseline);

#ifdef KERNELS_X86

BOUND(avx2);
BOUND(avx512);

const struct ladder_bound *const ladder_bounds[] = {&bound_avx512, &bound_avx2, &bound_baseline,
                                                    NULL};

#else

const struct ladder_bound *const ladder_bounds[] = {&bound_baseline, NULL};

#endif
