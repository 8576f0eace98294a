/* Compiled without contraction and with denormal numbers; see bits.h. */
#include "kernels/interaction.cuh"
#include "kernels/pairs/cuda/direct.cuh"
#include "kernels/pairs/cuda/pairs.h"

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

/* Compiled as exact.cu. */

/* A policy for spline softening, with the roots of ROOT. */
template <class POLICY, class ROOT> struct by_spline : POLICY {
    static constexpr bool SPLINE = true;
    typedef typename POLICY::number number;

    static __device__ __forceinline__ number pull(number r2, number half)
    {
        const number support2 = half * (number)SPLINE_SUPPORT2;
        const number point = POLICY::inverse_cube(r2);
        return r2 < support2 ? spline_pull<ROOT, number>(r2, support2, point) : point;
    }

    static __device__ __forceinline__ number phi(number r2, number half)
    {
        const number support2 = half * (number)SPLINE_SUPPORT2;
        const number point = ROOT::inverse(r2);
        return r2 < support2 ? spline_phi<ROOT, number>(r2, support2, point) : point;
    }
};

typedef by_spline<exact, exact> exact_spline;
typedef by_spline<quick, exact> quick_spline;
typedef by_spline<in_double, in_double> double_spline;

extern "C" int force_spline_exact_accelerate(const struct force_direct_plan *plan,
                                             const float *target, const float *source,
                                             const float *target_halves, const float *source_halves,
                                             const struct force_tiles *tiles, double *slots,
                                             double *acceleration, void *stream)
{
    return direct_accelerate<exact_spline>(plan, target, source, 0, target_halves, source_halves,
                                           *tiles, slots, acceleration, (cudaStream_t)stream);
}

extern "C" int force_spline_quick_accelerate(const struct force_direct_plan *plan,
                                             const float *target, const float *source,
                                             const float *target_halves, const float *source_halves,
                                             const struct force_tiles *tiles, double *slots,
                                             double *acceleration, void *stream)
{
    return direct_accelerate<quick_spline>(plan, target, source, 0, target_halves, source_halves,
                                           *tiles, slots, acceleration, (cudaStream_t)stream);
}

extern "C" int force_spline_double_accelerate(const struct force_direct_plan *plan,
                                              const double *target, const double *source,
                                              const double *target_halves,
                                              const double *source_halves, double *slots,
                                              double *acceleration, void *stream)
{
    return direct_accelerate<double_spline>(plan, target, source, 0, target_halves, source_halves,
                                            force_tiles(), slots, acceleration,
                                            (cudaStream_t)stream);
}

extern "C" int force_spline_exact_potential(size_t count, const float *rows, const float *halves,
                                            const struct force_tiles *tiles, double *out,
                                            void *stream)
{
    return direct_potential<exact_spline>(count, rows, 0, halves, *tiles, out,
                                          (cudaStream_t)stream);
}

extern "C" int force_spline_double_potential(size_t count, const double *rows, const double *halves,
                                             double *out, void *stream)
{
    return direct_potential<double_spline>(count, rows, 0, halves, force_tiles(), out,
                                           (cudaStream_t)stream);
}
