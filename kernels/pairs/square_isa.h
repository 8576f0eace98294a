/* Every ordered pair of bodies: the fast force for few bodies, and the force within a block of
 * many. Lanes are targets, sources are broadcast. Sums run in float over some hundreds of sources
 * and in double over those sums, so that the error stays near 1e-7 (relative RMS) at any count.
 * `rows` is padded to FORCE_PAD. */
#pragma once

#include "kernels/rows.h"

typedef void force_square(size_t count, const float (*rows)[4], float softening,
                          force_centres centres, double (*out)[3]);
typedef void force_square_phi(size_t count, const float (*rows)[4], size_t first, size_t end,
                              float softening, force_centres centres, double *out);

/* On the calling thread alone. */
force_square force_square_baseline, force_square_neon, force_square_avx2, force_square_avx512;

/* The same bits, with the targets shared out among all threads. */
force_square force_square_shared_baseline, force_square_shared_neon, force_square_shared_avx2,
    force_square_shared_avx512;

/* As fast_potential in kernels/pairs/force.h. */
force_square_phi force_square_potential_baseline, force_square_potential_neon,
    force_square_potential_avx2, force_square_potential_avx512;
