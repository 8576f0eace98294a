/* The fast force of all bodies. From FORCE_CPU_PAIRS_FROM bodies on, each pair is evaluated once
 * for both bodies (pairs.h); below that, once for each body (square_isa.h). */
#pragma once

#include "kernels/rows.h"

typedef void force_fast(size_t count, const float (*rows)[4], float softening,
                        force_centres centres, double (*out)[3]);

/* As fast in kernels/pairs/force.h. */
force_fast force_fast_baseline, force_fast_neon, force_fast_avx2, force_fast_avx512;
