/* The exact and quick kernels of kernels/direct.h, and those with spline softening
 * (kernels/spline.h). Targets are padded to FORCE_PAD; sources need not be. Give both arrays of
 * centres or neither. */
#pragma once

#include "kernels/rows.h"

typedef void force_direct(size_t targets, const float (*target)[4], size_t sources,
                          const float (*source)[4], float softening, const float *target_halves,
                          const float *source_halves, force_centres target_centres,
                          force_centres source_centres, double (*out)[3]);
typedef void force_direct_phi(size_t count, const float (*rows)[4], size_t first, size_t end,
                              float softening, const float *halves, force_centres centres,
                              double *out);

force_direct force_exact_baseline, force_exact_neon, force_exact_avx2, force_exact_avx512;
force_direct force_quick_baseline, force_quick_neon, force_quick_avx2, force_quick_avx512;
force_direct_phi force_exact_potential_baseline, force_exact_potential_neon,
    force_exact_potential_avx2, force_exact_potential_avx512;

force_direct force_exact_spline_baseline, force_exact_spline_neon, force_exact_spline_avx2,
    force_exact_spline_avx512;
force_direct force_quick_spline_baseline, force_quick_spline_neon, force_quick_spline_avx2,
    force_quick_spline_avx512;
force_direct_phi force_exact_potential_spline_baseline, force_exact_potential_spline_neon,
    force_exact_potential_spline_avx2, force_exact_potential_spline_avx512;
