/* Launchers of the CUDA rungs: ladder_rung.launch, one per kernel. Each is defined at the end of
 * the .cu file that its name refers to. */
#pragma once

#include "kernels/ladder/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LADDER_LAUNCHER(name)                                                                      \
    int name(const struct ladder_rung *rung, const struct ladder_shape *shape,                     \
             const struct ladder_bodies *bodies, unsigned turn, void *stream)

LADDER_LAUNCHER(ladder_naive_arrays);
LADDER_LAUNCHER(ladder_naive_float4);
LADDER_LAUNCHER(ladder_naive_float4_2d);
LADDER_LAUNCHER(ladder_subset);
LADDER_LAUNCHER(ladder_tile);
LADDER_LAUNCHER(ladder_tile_2d);
LADDER_LAUNCHER(ladder_tile_sample);
LADDER_LAUNCHER(ladder_threads_per_body);
LADDER_LAUNCHER(ladder_stride);

#ifdef __cplusplus
}
#endif
