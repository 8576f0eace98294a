#include "kernels/tree/tree.h"
#include "kernels/isa.h"
#include "kernels/tree/tree_isa.h"

#include <string.h>

static const struct {
    const struct tree_kernels *orders[TREE_ORDERS];
    bool (*usable)(void);
} sets[] = {
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
