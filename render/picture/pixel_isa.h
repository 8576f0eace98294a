/* Calls the variant of a function for the widest instruction set that this processor has. See
 * pixel_lanes.h. ISA_LEAST_OF(name) is the variant that every processor of the architecture can
 * run. */
#pragma once

#if defined ISA_ONLY /* the one that was built: cmake/isa.cmake */

#define ISA_JOINED_(name, isa) name##_##isa
#define ISA_JOINED(name, isa)  ISA_JOINED_(name, isa)
#define ISA_LEAST_OF(name)     ISA_JOINED(name, ISA_ONLY)
#define ISA_CALL(name, ...)    ISA_JOINED(name, ISA_ONLY)(__VA_ARGS__)

#else

#define ISA_HAS_AVX2   __builtin_cpu_supports("avx2")
#define ISA_HAS_AVX512 (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))

#define ISA_LEAST_OF(name) name##_baseline
/* name_avx512(...), name_avx2(...) or name_baseline(...) */
#define ISA_CALL(name, ...)                                                                        \
    (ISA_HAS_AVX512 ? name##_avx512(__VA_ARGS__)                                                   \
     : ISA_HAS_AVX2 ? name##_avx2(__VA_ARGS__)                                                     \
                    : name##_baseline(__VA_ARGS__))

#endif
