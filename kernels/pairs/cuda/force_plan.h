/* How the fast force of all bodies on a CUDA device is planned.
 *
 * Two schemes:
 * - split: each thread keeps a few targets in registers and walks a share of the sources. There are
 *   as many shares as fill the device. For small N.
 * - pairs: by Newton's third law each pair of bodies is evaluated once. The bodies are cut into
 *   tiles; block (I, d) works on the tiles I and J = I + d (mod tiles) for 0 <= d <= tiles / 2, so
 *   that every tile gets two partial sums per distance d (one for d = 0, where all ordered pairs of
 *   a tile are evaluated, and one for d = tiles / 2). Distances are done in waves that bound the
 *   memory of the slots; the order of the additions does not depend on the size of a wave. */
#pragma once

#include "kernels/rows.h"

#include <stddef.h>

enum { FORCE_CUDA_PAD = 1024, FORCE_CUDA_COUNT_MAX = 1 << 27 };

enum force_cuda_scheme { FORCE_CUDA_SPLIT, FORCE_CUDA_PAIRS };

struct force_cuda_plan {
    const char *name; /* "split", "pairs128", "pairs256", "pairs512", "pairs1024" */
    enum force_cuda_scheme scheme;
    size_t count;
    size_t stride;      /* capacity of a slot in bodies: count padded to whole tiles */
    unsigned tile;      /* bodies per tile (pairs), targets per block (split) */
    unsigned tiles;     /* stride / tile */
    unsigned splits;    /* split: shares of the sources */
    unsigned share;     /* split: blocks of 128 sources in a share */
    unsigned distances; /* pairs: tiles / 2 + 1 */
    unsigned wave;      /* pairs: distances per wave */
    int whole;          /* pairs: few enough tiles that all distances are always one wave */
    unsigned equal_tiles, mixed_tiles; /* pairs: tiles whose bodies share one mass, not 0, and those
                                          whose masses differ; set by force_cuda_count_tiles */
    size_t slots;                      /* each of 3 * stride floats: all x, all y, all z */
    size_t slot_bytes;                 /* size of all slots together, and at least `count`
                                        * doubles */
};

/* Chooses from the number of bodies and of multiprocessors alone: the pairs scheme with the largest
 * tile that still gives each multiprocessor enough blocks, else the split scheme. Whether masses
 * are equal is looked up per tile (force_cuda_tile_masses, force_cuda_count_tiles), not planned.
 * `name` forces a scheme; NULL or "auto" chooses. Slots stay within `budget` bytes as far as one
 * distance per wave allows. Returns 0 for an unknown name or a count that is 0 or above
 * FORCE_CUDA_COUNT_MAX. */
int force_cuda_plan(size_t count, int multiprocessors, size_t budget, const char *name,
                    struct force_cuda_plan *plan);

/* Counts the plan's tiles by the host's copy of tile_mass, so that kernels without work need no
 * launch. Must come before force_cuda_accelerate; the bits do not depend on it. */
void force_cuda_count_tiles(struct force_cuda_plan *plan, const float *tile_mass);

/* The plan of a launch of the direct kernels (kernels/rows.h) on a CUDA device. */

struct force_direct_plan {
    size_t targets, sources;
    size_t stride;     /* capacity of a slot, in targets */
    unsigned tile;     /* targets per block */
    unsigned share;    /* tiles of sources per group */
    unsigned groups;   /* each has a slot of 3 * stride doubles */
    size_t slot_bytes; /* size of all slots together, and at least `targets` doubles */
};

/* Depends on the two numbers alone, which must be at least 1. */
void force_direct_plan(size_t targets, size_t sources, struct force_direct_plan *plan);
