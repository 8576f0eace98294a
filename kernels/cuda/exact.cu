/* Compiled without contraction and with denormal numbers; see exact_root.h. */
#include "kernels/cuda/exact.h"
#include "kernels/cuda/direct.cuh"
#include "kernels/cuda/interaction.cuh"
#include "kernels/exact_root.h"

struct exact {
    typedef float number;
    typedef float4 row;
    static constexpr bool TILED = true;

    static __device__ __forceinline__ float root(float x, float *g)
    {
        float y = __int_as_float(EXACT_GUESS - (__float_as_int(x) >> 1));
        y = y * fused(-x, y * y, EXACT_NEWTON);
        *g = fused(-x, y * y, EXACT_SQUARE);
        return y;
    }

    static __device__ __forceinline__ float inverse_cube(float x)
    {
        float g, y = root(x, &g);
        return (y * (y * y)) * fused(g, fused(g, EXACT_CUBE_2, EXACT_CUBE_1), EXACT_CUBE_0);
    }

    static __device__ __forceinline__ float inverse(float x)
    {
        float g, y = root(x, &g);
        return y * fused(g, fused(g, EXACT_ROOT_2, EXACT_ROOT_1), EXACT_ROOT_0);
    }
};

struct quick {
    typedef float number;
    typedef float4 row;
    static constexpr bool TILED = true;

    static __device__ __forceinline__ float inverse_cube(float x)
    {
        float e = inverse_root(x);
        return e * (e * e);
    }
};

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
