#include "kernels/cuda/double.h"
#include "kernels/cuda/direct.cuh"

/* double4 of CUDA's own changed its alignment from one version to the next. */
struct __align__(16) double_row
{
    double x, y, z, w;
};

struct in_double {
    typedef double number;
    typedef struct double_row row;
    static constexpr bool TILED = false;

    /* The instruction's own guess has about 20 bits, in the upper half of the number. */
    static __device__ __forceinline__ double guess(double x)
    {
        double y;
        asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
        return y;
    }

    /* With h = 1 - x e^2: e^3 (1 - h)^(-3/2) as a series. */
    static __device__ __forceinline__ double inverse_cube(double x)
    {
        double e = guess(x), e2 = e * e, h = fused(-x, e2, 1.0);
        return e * e2 * fused(h, fused(h, fused(h, 2.1875, 1.875), 1.5), 1.0);
    }

    static __device__ __forceinline__ double inverse(double x)
    {
        double e = guess(x), h = fused(-x, e * e, 1.0);
        return e * fused(h, fused(h, fused(h, 0.3125, 0.375), 0.5), 1.0);
    }
};

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
