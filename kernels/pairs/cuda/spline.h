/* Launchers of the exact, quick and double kernels (kernels/direct.h) with spline softening
 * (kernels/spline.h): one kernel for every number of bodies and for any part of the sources. Used
 * as those of exact.h and double.h; rows have halves. */
#pragma once

#include "kernels/pairs/cuda/direct.h"

#ifdef __cplusplus
extern "C" {
#endif

int force_spline_exact_accelerate(const struct force_direct_plan *plan, const float *target,
                                  const float *source, const float *target_halves,
                                  const float *source_halves, const struct force_tiles *tiles,
                                  double *slots, double *acceleration, void *stream);
int force_spline_quick_accelerate(const struct force_direct_plan *plan, const float *target,
                                  const float *source, const float *target_halves,
                                  const float *source_halves, const struct force_tiles *tiles,
                                  double *slots, double *acceleration, void *stream);
int force_spline_double_accelerate(const struct force_direct_plan *plan, const double *target,
                                   const double *source, const double *target_halves,
                                   const double *source_halves, double *slots, double *acceleration,
                                   void *stream);

int force_spline_exact_potential(size_t count, const float *rows, const float *halves,
                                 const struct force_tiles *tiles, double *out, void *stream);
int force_spline_double_potential(size_t count, const double *rows, const double *halves,
                                  double *out, void *stream);

#ifdef __cplusplus
}
#endif
