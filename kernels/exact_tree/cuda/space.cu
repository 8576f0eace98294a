#include "kernels/exact_tree/cuda/space.cuh"

/* Allocates the next part of a block of memory in which `used` bytes are taken. */
template <class ITEM> static ITEM *part(char *work, size_t *used, size_t items)
{
    ITEM *at = work ? (ITEM *)(work + *used) : NULL;
    *used += (items * sizeof(ITEM) + 255) / 256 * 256;
    return at;
}

struct exact_tree_space exact_tree_space_of(const struct exact_tree_cuda_plan *plan, void *work,
                                            size_t *bytes)
{
    struct exact_tree_space space = {};
    char *base = (char *)work;
    const size_t count = plan->bodies;
    *bytes = 0;
    (void)part<double>(base, bytes, count);
    space.head = part<exact_tree_head>(base, bytes, 1);
    space.share = part<exact_tree_share>(base, bytes, SURVEYORS);
    for (int k = 0; k < 2; k++) {
        space.key[k] = part<unsigned long long>(base, bytes, count);
        space.order[k] = part<unsigned>(base, bytes, count);
    }
    space.tree.bodies = (uint32_t)count;
    space.tree.order = space.order[1];
    space.tree.body = part<exact_tree_body>(base, bytes, count);
    space.tree.place = part<exact_tree_place>(base, bytes, count);
    space.tree.moments = part<exact_tree_moments>(base, bytes, count);
    space.tree.span = part<exact_tree_span>(base, bytes, count);
    space.tree.box = part<exact_tree_box>(base, bytes, count);
    space.tree.thirds = part<exact_tree_thirds>(base, bytes, count);
    space.tree.wide = part<uint8_t>(base, bytes, count);
    space.parent = part<unsigned>(base, bytes, count);
    space.arrived = part<unsigned>(base, bytes, count);
    space.turns.cost = part<float>(base, bytes, exact_tree_groups(count));
    space.turns.spare = part<float>(base, bytes, exact_tree_groups(count));
    space.turns.index = part<unsigned>(base, bytes, exact_tree_groups(count));
    space.turns.turn = part<unsigned>(base, bytes, exact_tree_groups(count));
    space.stack = part<unsigned>(base, bytes, (size_t)plan->warps * EXACT_TREE_STACK);
    space.scratch = part<char>(base, bytes, plan->sort_bytes);
    space.turns.scratch = space.scratch;
    space.turns.scratch_bytes = plan->sort_bytes;
    return space;
}
