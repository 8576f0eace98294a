#include "kernels/tensor/tensor.h"

/* With fewer bodies than this, tiles of 512 are too few to fill a device. */
static const size_t LARGE = 49152;

/* Memory budget of the partial sums, in bytes. */
static const size_t SLOT_BUDGET = (size_t)512 << 20;

enum { WAVE_MOST = 128, GROUP_MOST = 8, SHARE = 6 };

void tensor_plan_tiles(size_t bodies, struct tensor_cuda_plan *plan)
{
    *plan = (struct tensor_cuda_plan){.bodies = bodies, .warps = bodies < LARGE ? 4 : 8};
    const size_t tile = (size_t)TENSOR_UNIT * plan->warps;
    plan->tiles = (unsigned)((bodies + tile - 1) / tile);
    plan->rows = plan->tiles * tile;
    plan->distances = plan->tiles / 2 + 1;
    const size_t slot = 3 * sizeof(float) * plan->rows;
    size_t wave = SLOT_BUDGET / slot;
    wave = wave < GROUP_MOST ? GROUP_MOST : wave > WAVE_MOST ? WAVE_MOST : wave;
    plan->wave = wave < plan->distances ? (unsigned)wave : plan->distances;
    struct tensor_cuda_groups groups;
    tensor_plan_groups(plan->wave, &groups);
    plan->slot_bytes = slot * (plan->wave + groups.count + 1); /* one more slot for near units */
}

void tensor_plan_groups(unsigned distances, struct tensor_cuda_groups *groups)
{
    unsigned at = 0;
    groups->count = 0;
    groups->begin[0] = 0;
    while (at < distances) {
        unsigned share = (distances - at + SHARE - 1) / SHARE;
        at += share < GROUP_MOST ? share : GROUP_MOST;
        groups->begin[++groups->count] = (unsigned short)at;
    }
}
