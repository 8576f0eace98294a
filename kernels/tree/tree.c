#include "kernels/tree/tree.h"
#include "kernels/cpu/isa.h"
#include "kernels/tree/tree_isa.h"

#include <string.h>

static const struct {
    const struct tree_kernels *orders[TREE_ORDERS];
    bool (*usable)(void);
} sets[] = {
#if defined(KERNELS_X86)
    {{&tree_kernels_avx512_4, &tree_kernels_avx512_5}, cpu_has_avx512},
    {{&tree_kernels_avx2_4, &tree_kernels_avx2_5}, cpu_has_avx2},
#endif
    {{&tree_kernels_baseline_4, &tree_kernels_baseline_5}, cpu_has_baseline},
};

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
