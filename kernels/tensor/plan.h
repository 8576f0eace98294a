/* The plan of all pairs on matrix units: tiles, waves and memory. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TENSOR_UNIT = 64,   /* bodies that are near or far as a unit; a warp's share of a tile */
    TENSOR_GROUPS = 40, /* groups of distances in a wave, at most */
};

struct tensor_cuda_plan {
    size_t bodies, rows; /* rows: padded to whole tiles */
    unsigned warps;      /* warps per block, one per unit: 4 or 8 */
    unsigned tiles,
        distances; /* tiles / 2 + 1, as in the pairs scheme of kernels/pairs/cuda/plan.h */
    unsigned wave; /* distances handled in one launch */
    size_t slot_bytes, sort_bytes;
    size_t bytes; /* device memory needed, at least a double per body */
};

/* Groups of distances within a wave: g covers begin[g] to begin[g + 1] - 1, counted from the wave's
 * first. */
struct tensor_cuda_groups {
    unsigned count;
    unsigned short begin[TENSOR_GROUPS + 1];
};

/* Depends on the number of bodies alone, because waves and groups determine the order of additions.
 * sort_bytes and bytes are left to tensor_cuda_plan of tensor.h. */
void tensor_plan_tiles(size_t bodies, struct tensor_cuda_plan *plan);

/* Splits `distances` <= plan->wave into groups, large ones first, so that the last blocks are
 * short. */
void tensor_plan_groups(unsigned distances, struct tensor_cuda_groups *groups);

#ifdef __cplusplus
}
#endif
