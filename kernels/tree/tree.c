#include "kernels/tree/tree.h"

#include "kernels/isa.h"

#include <string.h>

extern const struct near_kernels near_kernels_baseline, near_kernels_neon, near_kernels_avx2,
    near_kernels_avx512;

static const struct {
    const struct near_kernels *kernels;
    bool (*usable)(void);
} near_sets[] = {
#define SET(isa) {&near_kernels_##isa, cpu_has_##isa},
    EACH_ISA(SET)};

const struct near_kernels *near_kernels_find(const char *isa)
{
    for (size_t s = 0; s < sizeof near_sets / sizeof near_sets[0]; s++)
        if (near_sets[s].usable() &&
            (strcmp(isa, "auto") == 0 || strcmp(isa, near_sets[s].kernels->isa) == 0))
            return near_sets[s].kernels;
    return NULL;
}

static const struct {
    const struct tree_kernels *orders[TREE_ORDERS];
    bool (*usable)(void);
} sets[] = {
#undef SET
#define SET(isa) {{&tree_kernels_##isa##_4, &tree_kernels_##isa##_5}, cpu_has_##isa},
    EACH_ISA(SET)};

const struct tree_kernels *tree_kernels_find(const char *isa, int order)
{
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        for (int o = 0; o < TREE_ORDERS; o++) {
            const struct tree_kernels *kernels = sets[s].orders[o];
            if (kernels->order == order && sets[s].usable() &&
                (strcmp(isa, "auto") == 0 || strcmp(isa, kernels->isa) == 0))
                return kernels;
        }
    return NULL;
}
