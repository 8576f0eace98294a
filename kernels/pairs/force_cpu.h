/* Direct summation on the CPU: the kernels of each instruction set.
 *
 * `fast` and `fast_potential` take all bodies as sources (pairs_isa.c, square_isa.c); the others
 * are those of kernels/rows.h. Everything is added in a fixed order: the number of threads never
 * changes a bit. Rows are described in rows.h; massless rows may be anywhere among them. Potentials
 * are out[i - first] = -sum_{j != i} m_j / sqrt(r^2 + eps^2) for the rows from `first`, a multiple
 * of FORCE_TILE, to before `end`. Thread-safe. */
#pragma once

#include "kernels/isa.h"
#include "kernels/rows.h"

#include <stdatomic.h>
#include <stdbool.h>

/* A counter that one thread at a time raises and that others wait for, typically for the length of
 * a piece of work. Waiting threads poll for some microseconds and then sleep; yielding instead
 * would compete with every other program on a busy processor for the whole wait. Thread-safe. */

struct tally {
    atomic_uint value; /* 0 at first */
    atomic_uint sleepers;
};

/* Raises the value; earlier writes become visible to the waiting threads. */
void tally_raise(struct tally *tally, unsigned value);

/* Returns once the value is at least `value`. */
void tally_wait(struct tally *tally, unsigned value);

/* All pairs of bodies, each evaluated once, by Newton's third law; on the CPU, for many bodies.
 *
 * The bodies are cut into blocks. First every block is summed within itself, then pairs of blocks
 * meet in rounds, each block once per round (the circle method for tournaments: one block keeps its
 * place, the others rotate), and a meeting adds to both blocks. A block's meetings follow the order
 * of the rounds, whichever thread works on them, so the number of threads never changes a bit. Only
 * the memory of the result is needed. */

/* With fewer bodies than this, there are too few blocks to share out. */
enum { FORCE_CPU_PAIRS_FROM = 1024 };

struct force_block {
    size_t count;
    const float (*rows)[4]; /* padded to FORCE_PAD */
    bool even;              /* all masses are the same and there is no padding */
    size_t first;           /* index of the first row among all rows */
    force_centres centres;  /* of all rows */
    double (*out)[3];
};

/* Softening and the unit of length that kernels compute in, chosen so that no power of the softened
 * distance comes near the limits of the range of float. */
struct force_units {
    float softening, scale; /* scale is a power of two */
};

struct force_pairs_kernel {
    /* Sets block->out to the accelerations that the bodies of a block give each other. */
    void (*within)(const struct force_block *block, struct force_units units);
    /* Adds to a->out the pull of b, and to b->out that of a. */
    void (*between)(const struct force_block *a, const struct force_block *b,
                    struct force_units units);
};

/* `fast` of struct force_cpu for many bodies; count > 0. */
void force_pairs(const struct force_pairs_kernel *kernel, size_t count, const float (*rows)[4],
                 float softening, force_centres centres, double (*out)[3]);

typedef void pairs_fast(size_t count, const float (*rows)[4], float softening,
                        force_centres centres, double (*out)[3]);
typedef void pairs_fast_phi(size_t count, const float (*rows)[4], size_t first, size_t end,
                            float softening, force_centres centres, double *out);
typedef void pairs_direct(size_t targets, const float (*target)[4], size_t sources,
                          const float (*source)[4], float softening, const float *target_halves,
                          const float *source_halves, force_centres target_centres,
                          force_centres source_centres, double (*out)[3]);
typedef void pairs_direct_phi(size_t count, const float (*rows)[4], size_t first, size_t end,
                              float softening, const float *halves, force_centres centres,
                              double *out);
typedef void pairs_double(size_t targets, const double (*target)[4], size_t sources,
                          const double (*source)[4], double softening, const double *target_halves,
                          const double *source_halves, double (*out)[3]);
typedef void pairs_double_phi(size_t count, const double (*rows)[4], size_t first, size_t end,
                              double softening, const double *halves, double *out);

struct force_cpu {
    const char *name; /* "avx512" */
    const char *doc;  /* "AVX-512" */
    int lanes;        /* floats per vector */
    bool (*usable)(void);
    pairs_fast *fast; /* from FORCE_CPU_PAIRS_FROM bodies on each pair once for both bodies, below
                       * that once for each body */
    pairs_fast_phi *fast_potential;
    pairs_direct *exact, *quick; /* targets are padded to FORCE_PAD, sources need not be; give both
                                  * arrays of centres or neither */
    pairs_direct_phi *exact_potential;
    pairs_double *in_double; /* padded as exact */
    pairs_double_phi *double_potential;
    /* The same kernels with spline softening (kernels/spline.h), by the larger half of each pair;
     * in that table fast, fast_potential and spline are NULL. */
    const struct force_cpu *spline;
};

extern const struct force_cpu *const force_cpus[]; /* NULL-terminated, best first */

/* Finds the kernels by name; "auto" is the best that this machine can run. NULL if the name is
 * unknown or this machine cannot run it. */
const struct force_cpu *force_cpu_find(const char *name);

/* ---- what is compiled once per instruction set ---- */

/* force_square: every ordered pair of bodies, on the calling thread alone: the fast force for few
 * bodies, and the force within a block of many. Lanes are targets, sources are broadcast. Sums run
 * in float over some hundreds of sources and in double over those sums, so that the error stays
 * near 1e-7 (relative RMS) at any count. `rows` is padded to FORCE_PAD. force_square_shared: the
 * same bits, with the targets shared out among all threads. */
#define FORCE_CPU_DECLARE(isa)                                                                     \
    pairs_fast force_fast_##isa, force_square_##isa, force_square_shared_##isa;                    \
    pairs_fast_phi force_square_potential_##isa;                                                   \
    pairs_double force_double_##isa, force_double_spline_##isa;                                    \
    pairs_double_phi force_double_potential_##isa, force_double_potential_spline_##isa;            \
    pairs_direct force_exact_##isa, force_exact_spline_##isa;                                      \
    pairs_direct force_quick_##isa, force_quick_spline_##isa;                                      \
    pairs_direct_phi force_exact_potential_##isa, force_exact_potential_spline_##isa;
EACH_ISA(FORCE_CPU_DECLARE)
