#include "kernels/tree/cuda/space.cuh"

#include <type_traits>

/* The capacity for cells of a wave: at most 8 below each larger cell, and the number of larger
 * cells per level is bounded. */
static size_t wave_room(const struct tree_cuda_plan *plan, unsigned wave)
{
    if (wave + 1 == plan->waves)
        return plan->cells;
    size_t most = 8 * (size_t)DEPTHS * (plan->bodies / plan->limit[wave] + 1);
    return most < plan->cells ? most : plan->cells;
}

struct tree_space tree_space_of(const struct tree_cuda_plan *plan, const void *work, size_t *bytes)
{
    struct tree_space space = {};
    const size_t n = plan->bodies, cells = plan->cells;
    const size_t row = sizeof(float) * (size_t)row_of(plan->order);
    const size_t scratch =
        plan->sort_bytes > plan->scan_bytes ? plan->sort_bytes : plan->scan_bytes;
    size_t end = 0;
    auto take = [&](auto **pointer, size_t size) {
        end = (end + 255) / 256 * 256;
        *pointer = (std::remove_reference_t<decltype(**pointer)> *)((char *)work + end);
        end += size;
    };
    /* First, because potentials may overwrite the keys, which only building reads. */
    static_assert(sizeof *space.key[1] == sizeof(double), "room for a potential per body");
    take(&space.key[1], n * sizeof *space.key[1]);
    take(&space.head, sizeof *space.head);
    take(&space.share, SURVEYORS * sizeof *space.share);
    take(&space.body[1], n * sizeof *space.body[1]);
    take(&space.sinks_before, (n + 1) * sizeof *space.sinks_before);
    take(&space.relative, n * sizeof *space.relative);
    take(&space.half, plan->mixed ? n * sizeof *space.half : 0);
    take(&space.cell, cells * sizeof *space.cell);
    take(&space.parent, cells * sizeof *space.parent);
    take(&space.arrived, cells * sizeof *space.arrived);
    for (int k = 0; k < 4; k++)
        take(&space.place[k], cells * sizeof *space.place[k]);
    take(&space.moments, cells * row);
    take(&space.local, cells * row);
    take(&space.kept, cells * sizeof *space.kept);
    for (unsigned w = 0; w < plan->waves; w++)
        take(&space.wave[w], wave_room(plan, w) * sizeof **space.wave);
    take(&space.root, sizeof *space.root);
    take(&space.near, (size_t)plan->multiprocessors * WALKS * NEAR * sizeof *space.near);
    take(&space.join, cells * sizeof *space.join);
    take(&space.meet, (cells + n / WARP + plan->lone) * sizeof *space.meet);
    take(&space.lone, plan->lone * sizeof *space.lone);
    take(&space.given, plan->lone * sizeof *space.given);

    /* lists reuse the memory that only building needs */
    const size_t built = space.lasting = (end + 255) / 256 * 256;
    take(&space.key[0], n * sizeof *space.key[0]);
    take(&space.body[0], n * sizeof *space.body[0]);
    take(&space.depth, n * sizeof *space.depth);
    take(&space.counts, (DEPTHS * (size_t)blocks_for(n) + 1) * sizeof *space.counts);
    for (int c = 0; c < 3; c++)
        take(&space.at[c], n * sizeof *space.at[c]);
    take(&space.size, n * sizeof *space.size);
    char *rest = NULL;
    take(&rest, scratch);
    space.scratch = rest;
    const size_t building = end;
    end = built;
    take(&space.pool, plan->pool * sizeof *space.pool);
    *bytes = end > building ? end : building;
    return space;
}
