#include "kernels/pairs/force.h"
#include "kernels/pairs/double_isa.h"
#include "kernels/pairs/exact_isa.h"
#include "kernels/isa.h"
#include "kernels/pairs/pairs_isa.h"
#include "kernels/pairs/square_isa.h"

#include <string.h>

#define WORDS_baseline "baseline"
#define WORDS_neon     "NEON"
#define WORDS_avx2     "AVX2"
#define WORDS_avx512   "AVX-512"
#define LANES_baseline 4
#define LANES_neon     4
#define LANES_avx2     8
#define LANES_avx512   16

#define ENTRY(isa)                                                                                 \
    static const struct force_cpu spline_##isa = {                                                 \
        .name = #isa,                                                                              \
        .doc = WORDS_##isa,                                                                        \
        .lanes = LANES_##isa,                                                                      \
        .usable = cpu_has_##isa,                                                                   \
        .exact = force_exact_spline_##isa,                                                         \
        .quick = force_quick_spline_##isa,                                                         \
        .exact_potential = force_exact_potential_spline_##isa,                                     \
        .in_double = force_double_spline_##isa,                                                    \
        .double_potential = force_double_potential_spline_##isa,                                   \
    };                                                                                             \
    static const struct force_cpu entry_##isa = {                                                  \
        .name = #isa,                                                                              \
        .doc = WORDS_##isa,                                                                        \
        .lanes = LANES_##isa,                                                                      \
        .usable = cpu_has_##isa,                                                                   \
        .fast = force_fast_##isa,                                                                  \
        .fast_potential = force_square_potential_##isa,                                            \
        .exact = force_exact_##isa,                                                                \
        .quick = force_quick_##isa,                                                                \
        .exact_potential = force_exact_potential_##isa,                                            \
        .in_double = force_double_##isa,                                                           \
        .double_potential = force_double_potential_##isa,                                          \
        .spline = &spline_##isa,                                                                   \
    };
EACH_ISA(ENTRY)

#define ROW(isa) &entry_##isa,
const struct force_cpu *const force_cpus[] = {EACH_ISA(ROW) NULL};

const struct force_cpu *force_cpu_find(const char *name)
{
    for (const struct force_cpu *const *f = force_cpus; *f; f++)
        if ((strcmp(name, "auto") == 0 || strcmp(name, (*f)->name) == 0) && (*f)->usable())
            return *f;
    return NULL;
}
