#include "kernels/exact_tree/walk.h"
#include "kernels/isa.h"

#include <string.h>

static const struct {
    const struct exact_tree_kernels *kernels;
    bool (*usable)(void);
} sets[] = {
#define SET(isa) {&exact_tree_##isa, cpu_has_##isa},
    EACH_ISA(SET)};

const struct exact_tree_kernels *exact_tree_find(const char *isa)
{
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        if (sets[s].usable() &&
            (strcmp(isa, "auto") == 0 || strcmp(isa, sets[s].kernels->isa) == 0))
            return sets[s].kernels;
    return NULL;
}
