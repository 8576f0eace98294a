#include "kernels/pairs/cuda/direct.h"

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

void force_direct_plan(size_t targets, size_t sources, struct force_direct_plan *plan)
{
    size_t tile = FORCE_DIRECT_TILE * (targets < 16384 ? 2 : 4);
    size_t share = force_direct_share(sources);
    *plan = (struct force_direct_plan){
        .targets = targets,
        .sources = sources,
        .tile = (unsigned)tile,
        .stride = divide_up(targets, tile) * tile,
        .share = (unsigned)share,
        .groups = (unsigned)divide_up(divide_up(sources, FORCE_DIRECT_TILE), share),
    };
    plan->slot_bytes = plan->groups * plan->stride * sizeof(double[3]);
}
