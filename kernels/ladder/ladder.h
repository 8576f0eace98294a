/* The ladder: force kernels as they were published, kept to be measured on today's machines, and
 * the upper bounds of a processor. In the program only `gravreel bench` uses them.
 *
 * A rung works on memory that the caller prepares and fills (host memory for a CPU rung, device
 * memory for a CUDA rung) and never allocates or waits. All rungs compute the same sum, in single
 * precision: a_i = sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Both layouts of the same bodies; a rung reads one of them. */
struct ladder_bodies {
    size_t count;
    const float *x, *y, *z, *mass; /* [padded] */
    const float *rows;             /* [padded][4]: x y z m, 64-byte aligned */
    float softening;
    float *acceleration; /* [padded][4]: x y z and an unused number */
};

struct ladder_rung {
    const char *name;
    bool cuda;            /* on a device; else on the CPU */
    bool (*usable)(void); /* whether this processor can run it; NULL: always */
    /* Evaluates all forces once. Returns 0, or a cudaError_t of the launch. `stream` is a
     * cudaStream_t, NULL for a CPU rung. */
    int (*launch)(const struct ladder_bodies *bodies, void *stream);
};

/* NULL-terminated, each building on the previous one; without CUDA the second is empty. */
extern const struct ladder_rung *const ladder_cpu_rungs[], *const ladder_cuda_rungs[];

const struct ladder_rung *ladder_find(const char *name); /* NULL if there is none */

/* The plain loop, compiled for the best instruction set of this processor. */
const struct ladder_rung *ladder_plain_best(void);

/* The number of rows for that many bodies: padded with massless bodies at the origin to a multiple
 * of LADDER_PAD. Both layouts together take LADDER_INPUT floats per row, and with the accelerations
 * after them LADDER_MEMORY. */
enum { LADDER_PAD = 1024, LADDER_INPUT = 8, LADDER_MEMORY = 12 };
size_t ladder_rows(size_t count);

/* The places of the bodies in such memory, on the host or on a device; `memory` is 64-byte
 * aligned. */
struct ladder_bodies ladder_lay_out(float *memory, size_t count, float softening);

/* Fills both layouts in host memory. */
void ladder_fill(float *memory, size_t count, const double *mass, const double (*position)[3]);

/* The double-precision reference for the `targets` bodies listed in `which`. */
void ladder_reference(size_t count, const double *mass, const double (*position)[3],
                      double softening, size_t targets, const size_t *which,
                      double (*acceleration)[3]);

/* ---- the processor's limits ---- */

enum ladder_mixture {
    LADDER_EACH,        /* 12 multiply-adds and a root: one interaction */
    LADDER_EACH_EQUAL,  /* 11 and a root: one interaction of equal masses */
    LADDER_PAIRS,       /* 16 and a root: two interactions, by Newton's third law */
    LADDER_PAIRS_EQUAL, /* 14 and a root: two interactions of equal masses */
    LADDER_MIXTURES
};

typedef double ladder_work(unsigned scale);
typedef double ladder_mixed_work(enum ladder_mixture mixture, unsigned scale);

/* Loops of a single kind of work for one instruction set, in single precision on all lanes: fused
 * multiply-adds, estimates of a reciprocal square root, and both in the mixture of an interaction
 * (without a fused instruction a multiplication and an addition count as one multiply-add). Each
 * runs on the calling thread and returns the amount of work done; the caller times it. `scale`
 * multiplies the work; 1 takes some milliseconds. */
struct ladder_bound {
    const char *name; /* as in kernels/pairs/force_cpu.h: "avx512" */
    bool (*usable)(void);
    ladder_work *multiply_adds, *roots;
    ladder_mixed_work *interactions;
};

extern const struct ladder_bound *const ladder_bounds[]; /* NULL-terminated, best first */

/* ---- what the files beside this one define ---- */

typedef int ladder_launch(const struct ladder_bodies *bodies, void *stream);

ladder_launch ladder_serial, ladder_plain_baseline, ladder_plain_neon, ladder_plain_avx2,
    ladder_plain_avx512;
ladder_work ladder_multiply_adds_baseline, ladder_multiply_adds_neon, ladder_multiply_adds_avx2,
    ladder_multiply_adds_avx512, ladder_roots_baseline, ladder_roots_neon, ladder_roots_avx2,
    ladder_roots_avx512;
ladder_mixed_work ladder_interactions_baseline, ladder_interactions_neon, ladder_interactions_avx2,
    ladder_interactions_avx512;

#ifdef __cplusplus
}
#endif
