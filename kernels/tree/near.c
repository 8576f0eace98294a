#include "kernels/tree/near.h"
#include "kernels/isa.h"

#include <string.h>

extern const struct near_kernels near_kernels_baseline, near_kernels_neon, near_kernels_avx2,
    near_kernels_avx512;

static const struct {
    const struct near_kernels *kernels;
    bool (*usable)(void);
} sets[] = {
#define SET(isa) {&near_kernels_##isa, cpu_has_##isa},
    EACH_ISA(SET)};

const struct near_kernels *near_kernels_find(const char *isa)
{
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        if (sets[s].usable() &&
            (strcmp(isa, "auto") == 0 || strcmp(isa, sets[s].kernels->isa) == 0))
            return sets[s].kernels;
    return NULL;
}
