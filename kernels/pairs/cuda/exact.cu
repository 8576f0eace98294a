/* Compiled without contraction and with denormal numbers; see exact_root.h. */
#include "kernels/pairs/cuda/exact.h"
#include "kernels/pairs/cuda/exact.cuh"

extern "C" int force_exact_accelerate(const struct force_direct_plan *plan, const float *target,
                                      const float *source, float softening,
                                      const float *target_halves, const float *source_halves,
                                      const struct force_tiles *tiles, double *slots,
                                      double *acceleration, void *stream)
{
    return direct_accelerate<exact>(plan, target, source, softening, target_halves, source_halves,
                                    *tiles, slots, acceleration, (cudaStream_t)stream);
}

extern "C" int force_quick_accelerate(const struct force_direct_plan *plan, const float *target,
                                      const float *source, float softening,
                                      const float *target_halves, const float *source_halves,
                                      const struct force_tiles *tiles, double *slots,
                                      double *acceleration, void *stream)
{
    return direct_accelerate<quick>(plan, target, source, softening, target_halves, source_halves,
                                    *tiles, slots, acceleration, (cudaStream_t)stream);
}

extern "C" int force_exact_potential(size_t count, const float *rows, float softening,
                                     const float *halves, const struct force_tiles *tiles,
                                     double *out, void *stream)
{
    return direct_potential<exact>(count, rows, softening, halves, *tiles, out,
                                   (cudaStream_t)stream);
}
