/* The ladder: force kernels as they were published, one small step after another, kept to be
 * measured on today's machines. In the program only `gravreel bench` uses them.
 *
 * A rung is a const table entry. It works on memory that the caller prepares and fills (host memory
 * for a CPU rung, device memory for a CUDA rung) and never allocates or waits. All rungs compute
 * the same sum, in single precision: a_i = sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2). A
 * rung with `subset` n > 1 sums only the sources j = turn mod n, turn mod n + n, ..., times n. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rows are padded with massless bodies at the origin to a multiple of this. */
enum { LADDER_PAD = 1024 };

/* Both layouts of the same bodies; a rung reads one of them. */
struct ladder_bodies {
    size_t count;
    const float *x, *y, *z, *mass; /* [padded] */
    const float *rows;             /* [padded][4]: x y z m, 64-byte aligned */
    float softening;
    float *acceleration; /* [padded][4]: x y z and an unused number */
};

/* How a kernel is launched. A CPU rung ignores it, and a rung ignores members it does not use. */
struct ladder_shape {
    unsigned block;  /* bodies per block (p); also the sources of a tile */
    unsigned rows;   /* threads per body (q), or the second dimension of a block; else 1 */
    unsigned unroll; /* of the inner loop: one of the values that the rung was compiled for */
    unsigned stride; /* blocks that share one block of bodies; else 1 */
};

enum ladder_backend { LADDER_CPU, LADDER_CUDA };

struct ladder_rung {
    const char *name;   /* "float4" */
    const char *idea;   /* what is new compared with the previous rung, in one line */
    const char *source; /* where it was published */
    enum ladder_backend backend;
    struct ladder_shape shape; /* the published shape; a sweep passes others */
    unsigned subset;           /* 1: all sources */
    bool (*usable)(void);      /* whether this processor can run it; NULL: always */
    /* Evaluates all forces once. Returns 0, or a cudaError_t of the launch. `stream` is a
     * cudaStream_t, NULL for a CPU rung. A shape that the rung was not compiled for gives
     * cudaErrorInvalidValue (1). */
    int (*launch)(const struct ladder_rung *rung, const struct ladder_shape *shape,
                  const struct ladder_bodies *bodies, unsigned turn, void *stream);
};

#ifdef __cplusplus
}
#endif
