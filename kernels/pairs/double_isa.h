/* The double kernels of kernels/direct.h, and those with softening by a spline. Targets are padded
 * to FORCE_PAD, sources need not be. */
#pragma once

#include "kernels/rows.h"

typedef void force_double(size_t targets, const double (*target)[4], size_t sources,
                          const double (*source)[4], double softening, const double *target_halves,
                          const double *source_halves, double (*out)[3]);
typedef void force_double_phi(size_t count, const double (*rows)[4], size_t first, size_t end,
                              double softening, const double *halves, double *out);

force_double force_double_baseline, force_double_neon, force_double_avx2, force_double_avx512;
force_double_phi force_double_potential_baseline, force_double_potential_neon,
    force_double_potential_avx2, force_double_potential_avx512;

force_double force_double_spline_baseline, force_double_spline_neon, force_double_spline_avx2,
    force_double_spline_avx512;
force_double_phi force_double_potential_spline_baseline, force_double_potential_spline_neon,
    force_double_potential_spline_avx2, force_double_potential_spline_avx512;
