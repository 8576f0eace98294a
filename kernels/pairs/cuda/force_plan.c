#include "kernels/pairs/cuda/force_plan.h"

#include <stdbool.h>
#include <string.h>

enum { SOURCES = 128 };

/* Up to this many tiles, all distances are one wave; its slots take at most 205 MB. */
enum { WHOLE_TILES = 128 };

/* Measured on sm_90: a device that is not full, or whose last wave of blocks is not, loses more
 * than larger tiles gain. */
static const struct {
    const char *name;
    unsigned tile;
    unsigned quarters; /* of a block per multiprocessor, required for this tile */
} pair_tiles[] = {
    {"pairs1024", 1024, 48}, {"pairs512", 512, 48}, {"pairs256", 256, 60}, {"pairs128", 128, 1}};

enum { PAIR_TILES = sizeof pair_tiles / sizeof *pair_tiles };

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

static void plan_split(struct force_cuda_plan *plan, size_t multiprocessors)
{
    size_t sources = divide_up(plan->count, SOURCES);
    plan->name = "split";
    plan->scheme = FORCE_CUDA_SPLIT;
    plan->tile = plan->count < 2048 ? 128 : 512;
    plan->tiles = (unsigned)divide_up(plan->count, plan->tile);
    size_t needed = divide_up(2 * multiprocessors, plan->tiles);
    plan->share = (unsigned)divide_up(sources, needed < sources ? needed : sources);
    plan->splits = (unsigned)divide_up(sources, plan->share);
    plan->slots = plan->splits;
}

static void plan_pairs(struct force_cuda_plan *plan, int choice, size_t budget)
{
    plan->name = pair_tiles[choice].name;
    plan->scheme = FORCE_CUDA_PAIRS;
    plan->tile = pair_tiles[choice].tile;
    plan->tiles = (unsigned)divide_up(plan->count, plan->tile);
    plan->distances = plan->tiles / 2 + 1;
    size_t distance_bytes = 2 * sizeof(float[3]) * plan->tiles * plan->tile;
    size_t wave = budget / distance_bytes;
    wave = wave < 1 ? 1 : wave > 65535 ? 65535 : wave;
    /* A function of N alone, because it decides the order of the additions. */
    plan->whole = plan->tiles <= WHOLE_TILES;
    if (plan->whole)
        wave = plan->distances;
    plan->wave = wave < plan->distances ? (unsigned)wave : plan->distances;
    plan->slots = 2 * (size_t)plan->wave;
}

int force_cuda_plan(size_t count, int multiprocessors, size_t budget, const char *name,
                    struct force_cuda_plan *plan)
{
    bool automatic = !name || strcmp(name, "auto") == 0;
    size_t units = multiprocessors > 0 ? (size_t)multiprocessors : 1;
    int choice = 0;
    *plan = (struct force_cuda_plan){.count = count};
    if (count == 0 || count > FORCE_CUDA_COUNT_MAX)
        return 0;

    for (; choice < PAIR_TILES; choice++) {
        size_t tiles = divide_up(count, pair_tiles[choice].tile);
        if (automatic ? 2 * tiles * (tiles + 1) >= units * pair_tiles[choice].quarters
                      : strcmp(name, pair_tiles[choice].name) == 0)
            break;
    }
    if (choice < PAIR_TILES)
        plan_pairs(plan, choice, budget);
    else if (automatic || strcmp(name, "split") == 0)
        plan_split(plan, units);
    else
        return 0;
    plan->stride = (size_t)plan->tiles * plan->tile;
    plan->slot_bytes = plan->slots * plan->stride * sizeof(float[3]);
    return 1;
}

void force_cuda_count_tiles(struct force_cuda_plan *plan, const float *tile_mass)
{
    plan->equal_tiles = plan->mixed_tiles = 0;
    for (unsigned t = 0; t < plan->tiles; t++)
        if (tile_mass[t] != 0)
            ++*(tile_mass[t] > 0 ? &plan->equal_tiles : &plan->mixed_tiles);
    if (plan->mixed_tiles == 0 && plan->equal_tiles == 0)
        plan->equal_tiles = 1; /* one kernel must run to write zeros */
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
