/* Calls the variant of a function for the widest instruction set that this processor has. See
 * lanes.h. */
#pragma once

#if defined __x86_64__

#define ISA_HAS_AVX2   __builtin_cpu_supports("avx2")
#define ISA_HAS_AVX512 (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))

/* name_avx512(...), name_avx2(...) or name_baseline(...) */
#define ISA_CALL(name, ...)                                                                        \
    (ISA_HAS_AVX512 ? name##_avx512(__VA_ARGS__)                                                   \
     : ISA_HAS_AVX2 ? name##_avx2(__VA_ARGS__)                                                     \
                    : name##_baseline(__VA_ARGS__))

#else

#define ISA_CALL(name, ...) name##_baseline(__VA_ARGS__)

#endif
