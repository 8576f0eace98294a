#include "kernels/ladder/rungs_cuda.h"
#include "kernels/ladder/launchers.h"

#define RUNG(id, ...)                                                                              \
    static const struct ladder_rung rung_##id = {.backend = LADDER_CUDA, .subset = 1, __VA_ARGS__}

#define EVL   "evl2008"
#define GEMS3 "gems3"

RUNG(arrays, .name = "naive float", .source = EVL,
     .idea = "one thread per body, one float array per coordinate", .shape = {256, 1, 1, 1},
     .launch = ladder_naive_arrays);
RUNG(float4, .name = "naive float4", .source = EVL,
     .idea = "position and mass are one float4, one load per source", .shape = {256, 1, 1, 1},
     .launch = ladder_naive_float4);
RUNG(float4_2d, .name = "naive float4, 2-D block", .source = EVL,
     .idea = "the same threads counted as 16 x 16", .shape = {256, 16, 1, 1},
     .launch = ladder_naive_float4_2d);

#define SUBSET(n)                                                                                  \
    static const struct ladder_rung rung_subset##n = {                                             \
        .name = "subset 1/" #n,                                                                    \
        .idea = "one source in " #n ", another part each step",                                    \
        .source = EVL,                                                                             \
        .backend = LADDER_CUDA,                                                                    \
        .shape = {256, 1, 1, 1},                                                                   \
        .subset = n,                                                                               \
        .launch = ladder_subset,                                                                   \
    }
SUBSET(2);
SUBSET(4);
SUBSET(8);
SUBSET(16);

RUNG(tile, .name = "shared tile", .source = GEMS3 ", " EVL,
     .idea = "a block reads each source once, into shared memory", .shape = {256, 1, 1, 1},
     .launch = ladder_tile);

#define UNROLL(n)                                                                                  \
    static const struct ladder_rung rung_unroll##n = {                                             \
        .name = "shared tile, unroll " #n,                                                         \
        .idea = "the tile's loop counts once for " #n " sources",                                  \
        .source = GEMS3 ", " EVL,                                                                  \
        .backend = LADDER_CUDA,                                                                    \
        .shape = {256, 1, n, 1},                                                                   \
        .subset = 1,                                                                               \
        .launch = ladder_tile,                                                                     \
    }
UNROLL(2);
UNROLL(4);
UNROLL(8);
UNROLL(16);
UNROLL(32);

RUNG(tile_2d, .name = "shared tile, unroll 8, 2-D block", .source = EVL,
     .idea = "the same threads counted as 16 x 16", .shape = {256, 16, 8, 1},
     .launch = ladder_tile_2d);
RUNG(sample, .name = "sample's shape", .source = "the vendor's n-body sample",
     .idea = "a tile of constant size, unrolled by 128", .shape = {256, 1, 128, 1},
     .launch = ladder_tile_sample);
RUNG(threads, .name = "threads per body", .source = GEMS3,
     .idea = "q threads share a body, so that few bodies fill the device", .shape = {128, 2, 8, 1},
     .launch = ladder_threads_per_body);
RUNG(stride, .name = "stride", .source = "stride",
     .idea = "several blocks share their bodies and add with atomics", .shape = {128, 1, 8, 32},
     .launch = ladder_stride);

const struct ladder_rung *const ladder_cuda_rungs[] = {
    &rung_arrays,   &rung_float4,  &rung_float4_2d, &rung_subset2, &rung_subset4, &rung_subset8,
    &rung_subset16, &rung_tile,    &rung_unroll2,   &rung_unroll4, &rung_unroll8, &rung_unroll16,
    &rung_unroll32, &rung_tile_2d, &rung_sample,    &rung_threads, &rung_stride,  NULL};
