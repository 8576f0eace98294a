/* Direct summation on the CPU: two kernels, compiled for several instruction sets.
 *
 * Few bodies: lanes are targets, sources are broadcast, targets are shared out among OpenMP
 * threads. From FORCE_CPU_PAIRS_FROM bodies on a pair is evaluated once for both
 * (force_cpu_pairs.h). Sums run in float over some hundreds of sources and in double over those, so
 * that the error stays near 1e-7 (relative RMS) at any count. Everything is added in an order of
 * its own: the number of threads never changes a bit. `rows` is as force.h says; rows of no mass
 * may stand anywhere. */
#ifndef KERNELS_CPU_FORCE_CPU_H
#define KERNELS_CPU_FORCE_CPU_H

#include "kernels/force.h"

#include <stdbool.h>

/* Fewer bodies than this make too few blocks to share out. */
enum { FORCE_CPU_PAIRS_FROM = 1024 };

struct force_cpu {
    const char *name; /* "avx512" */
    const char *doc;  /* "AVX-512, 16 lanes" */
    bool (*usable)(void);
    void (*acceleration)(size_t count, const float (*rows)[4], float softening, double (*out)[3]);
    /* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2) */
    void (*potential)(size_t count, const float (*rows)[4], float softening, double *out);
};

extern const struct force_cpu *const force_cpus[]; /* NULL-terminated, best first */

/* By name; "auto" is the best that this machine can run. NULL when there is none of that name or
 * this machine cannot run it. */
const struct force_cpu *force_cpu_find(const char *name);

/* How many threads a parallel loop should ask for: omp_get_max_threads(), and one more where that
 * takes every processor. GNU's OpenMP lets idle threads spin, up to some milliseconds, unless there
 * are more of them than processors; spinning holds up whoever shares the processors, such as the
 * renderer and the encoder. Loops with this many threads should be scheduled dynamically. */
int force_cpu_threads(void);

#endif
