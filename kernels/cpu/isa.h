/* The instruction sets that kernels are compiled for: baseline, avx2 and avx512. A file NAME_isa.c
 * is compiled once for each, with KERNEL_ISA as the suffix of its functions. Thread-safe. */
#ifndef KERNELS_CPU_ISA_H
#define KERNELS_CPU_ISA_H

#include <stdbool.h>

#define ISA_JOIN_(name, isa) name##_##isa
#define ISA_JOIN(name, isa)  ISA_JOIN_(name, isa)
#define OF_ISA(name)         ISA_JOIN(name, KERNEL_ISA) /* name_avx2 */

/* Whether this processor has an instruction set. */

static inline bool cpu_has_baseline(void)
{
    return true;
}

#if defined(__x86_64__)

static inline bool cpu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static inline bool cpu_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("fma");
}

#endif

#endif
