/* The straight-line code of expansions (kernels/tree/generate.c), by order. */
#pragma once

#define TREE_INLINE static __device__ __forceinline__
#define REAL        float
#define NAMED(name) four_##name
#include TREE_EXPANSION_4
#undef NAMED
#define NAMED(name) five_##name
#include TREE_EXPANSION_5
#undef NAMED
#undef REAL
#undef TREE_INLINE

template <int ORDER> struct expansion;

#define EXPANSION(ORDER, prefix)                                                                   \
    template <> struct expansion<ORDER> {                                                          \
        static __device__ __forceinline__ void powers(float x, float y, float z, float *out)       \
        {                                                                                          \
            prefix##_powers(x, y, z, out);                                                         \
        }                                                                                          \
        static __device__ __forceinline__ void derivatives(float x, float y, float z, float *out)  \
        {                                                                                          \
            prefix##_derivatives(x, y, z, out);                                                    \
        }                                                                                          \
        template <bool POTENTIAL>                                                                  \
        static __device__ __forceinline__ void translate(const float *moment, const float *d,      \
                                                         const float *scale, float *local)         \
        {                                                                                          \
            if (POTENTIAL)                                                                         \
                prefix##_translate_all(moment, d, scale, local);                                   \
            else                                                                                   \
                prefix##_translate(moment, d, scale, local);                                       \
        }                                                                                          \
        static __device__ __forceinline__ void raise(const float *power, const float *moment,      \
                                                     float *out)                                   \
        {                                                                                          \
            prefix##_raise(power, moment, out);                                                    \
        }                                                                                          \
        static __device__ __forceinline__ void lower(const float *power, const float *local,       \
                                                     float *out)                                   \
        {                                                                                          \
            prefix##_lower(power, local, out);                                                     \
        }                                                                                          \
        static __device__ __forceinline__ void gradient(const float *power, const float *local,    \
                                                        float *out)                                \
        {                                                                                          \
            prefix##_gradient(power, local, out);                                                  \
        }                                                                                          \
        static __device__ __forceinline__ float value(const float *power, const float *local)      \
        {                                                                                          \
            return prefix##_value(power, local);                                                   \
        }                                                                                          \
    };

EXPANSION(4, four)
EXPANSION(5, five)
#undef EXPANSION
