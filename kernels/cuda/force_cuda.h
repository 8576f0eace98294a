/* Direct summation on a CUDA device: how a launch is planned, and the launchers.
 *
 * Launchers take a stream (cudaStream_t as void *), return a cudaError_t as int, never allocate and
 * never synchronize. Pointers are device memory of the current device. Rows are padded to a
 * multiple of FORCE_CUDA_PAD. No floating-point atomics: partial sums have slots of their own, and
 * the slots of a body are added in double in a fixed order, so that a plan always gives the same
 * bits.
 *
 * Two schemes:
 * - split: each thread keeps a few targets in registers and walks a share of the sources. The
 * shares are as many as fill the device. For small N.
 * - pairs: by Newton's third law each pair of bodies is evaluated once. The bodies are cut into
 *   tiles; block (I, d) works on the tiles I and J = I + d (mod tiles) for 0 <= d <= tiles / 2, so
 *   that every tile gets two partial sums a distance d (one for d = 0, where all ordered pairs of a
 *   tile are evaluated, and one for d = tiles / 2). Distances are done in waves that bound the
 *   memory of the slots; the order of the additions does not depend on the size of a wave. */
#ifndef KERNELS_CUDA_FORCE_CUDA_H
#define KERNELS_CUDA_FORCE_CUDA_H

#include "kernels/force.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FORCE_CUDA_PAD = 1024, FORCE_CUDA_COUNT_MAX = 1 << 26 };

enum force_cuda_scheme { FORCE_CUDA_SPLIT, FORCE_CUDA_PAIRS };

struct force_cuda_plan {
    const char *name; /* "split", "pairs128", "pairs256", "pairs512", "pairs1024" */
    enum force_cuda_scheme scheme;
    size_t count;
    size_t stride;      /* bodies a slot has room for: count padded to whole tiles */
    unsigned tile;      /* bodies of a tile (pairs), targets of a block (split) */
    unsigned tiles;     /* stride / tile */
    unsigned splits;    /* split: shares of the sources */
    unsigned share;     /* split: blocks of 128 sources in a share */
    unsigned distances; /* pairs: tiles / 2 + 1 */
    unsigned wave;      /* pairs: distances done at once */
    int whole;          /* pairs: so few tiles that all distances are always one wave */
    unsigned equal_tiles, mixed_tiles; /* pairs: tiles whose bodies share one mass, and the others;
                                          set by force_cuda_count_tiles */
    size_t slots;                      /* each of 3 * stride floats: all x, all y, all z */
    size_t slot_bytes;                 /* of all slots together */
};

/* Chooses from the number of bodies and of multiprocessors alone: the pairs scheme with the largest
 * tile that still gives each multiprocessor enough blocks, else the split scheme. Whether masses
 * are equal is looked up a tile (force_cuda_tile_masses, force_cuda_count_tiles), not planned.
 * `name` forces a scheme; NULL or "auto" chooses. Slots stay within `budget` bytes as far as one
 * distance a wave allows. Returns 0 for an unknown name or a count that is 0 or above
 * FORCE_CUDA_COUNT_MAX. */
int force_cuda_plan(size_t count, int multiprocessors, size_t budget, const char *name,
                    struct force_cuda_plan *plan);

/* Whether this program holds code for the current device: cudaSuccess or the reason. */
int force_cuda_supported(void);

/* tile_mass[tiles]: the mass that all bodies of a tile share, or -1. Pairs only. */
int force_cuda_tile_masses(const struct force_cuda_plan *plan, const float *rows, float *tile_mass,
                           void *stream);

/* Counts the plan's tiles by the host's copy of tile_mass, so that kernels without work need no
 * launch. Must come before force_cuda_accelerate; the bits do not depend on it. */
void force_cuda_count_tiles(struct force_cuda_plan *plan, const float *tile_mass);

/* acceleration[count][3] from rows; `slots` has plan->slot_bytes. */
int force_cuda_accelerate(const struct force_cuda_plan *plan, const float *rows,
                          const float *tile_mass, float softening, float *slots,
                          double *acceleration, void *stream);

/* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2) for i < count. */
int force_cuda_potential(size_t count, const float *rows, float softening, double *out,
                         void *stream);

#ifdef __cplusplus
}
#endif

#endif
