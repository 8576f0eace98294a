#include "kernels/pairs/cuda/pairs.h"
#include "kernels/pairs/cuda/direct.cuh"

extern "C" int force_double_accelerate(const struct force_direct_plan *plan, const double *target,
                                       const double *source, double softening,
                                       const double *target_halves, const double *source_halves,
                                       double *slots, double *acceleration, void *stream)
{
    return direct_accelerate<in_double>(plan, target, source, softening, target_halves,
                                        source_halves, force_tiles(), slots, acceleration,
                                        (cudaStream_t)stream);
}

extern "C" int force_double_potential(size_t count, const double *rows, double softening,
                                      const double *halves, double *out, void *stream)
{
    return direct_potential<in_double>(count, rows, softening, halves, force_tiles(), out,
                                       (cudaStream_t)stream);
}
