/* The instruction sets that kernels are compiled for: baseline, avx2 and avx512 on x86-64, neon on
 * aarch64, baseline alone elsewhere. A file NAME_isa.c is compiled once for each, with KERNEL_ISA
 * as the suffix of its functions. Thread-safe. */
#pragma once

#include <omp.h>
#include <stdbool.h>

#define ISA_JOIN_(name, isa) name##_##isa
#define ISA_JOIN(name, isa)  ISA_JOIN_(name, isa)
#define OF_ISA(name)         ISA_JOIN(name, KERNEL_ISA) /* name_avx2 */

/* The one that every processor of the architecture has. */
#if defined(__aarch64__)
#define ISA_LEAST "neon"
#else
#define ISA_LEAST "baseline"
#endif

/* The message where kernels of that name are not built, or not for this processor. */
#define ISA_MISSING "this program has no '%s' kernel for this processor; choose auto"

/* ---- whether this processor has an instruction set ---- */

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

#elif defined(__aarch64__)

/* Every aarch64 processor has NEON. */
static inline bool cpu_has_neon(void)
{
    return true;
}

#endif

/* EACH_ISA(X) expands to X(isa) for each compiled instruction set, widest first. */
#ifdef KERNELS_AVX512
#define IF_AVX512(X) X(avx512)
#else
#define IF_AVX512(X)
#endif
#ifdef KERNELS_AVX2
#define IF_AVX2(X) X(avx2)
#else
#define IF_AVX2(X)
#endif
#ifdef KERNELS_NEON
#define IF_NEON(X) X(neon)
#else
#define IF_NEON(X)
#endif
#ifdef KERNELS_BASELINE
#define IF_BASELINE(X) X(baseline)
#else
#define IF_BASELINE(X)
#endif
#define EACH_ISA(X) IF_AVX512(X) IF_AVX2(X) IF_NEON(X) IF_BASELINE(X)

/* The number of threads a parallel loop should ask for: omp_get_max_threads(), plus one if that
 * takes every processor. GNU's OpenMP lets idle threads spin, up to some milliseconds, unless there
 * are more threads than processors; spinning slows everything that shares the processors, such as
 * the renderer and the encoder. Loops with this many threads should be scheduled dynamically. */
static inline int force_cpu_threads(void)
{
    const int threads = omp_get_max_threads();
    return threads > 1 && threads >= omp_get_num_procs() ? threads + 1 : threads;
}

/* Sets the number of threads that the calling thread asks for from now on, 0: one per processor.
 * Returns the previous value. */
static inline int force_cpu_use_threads(int threads)
{
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads > 0 ? threads : omp_get_num_procs());
    return before;
}
