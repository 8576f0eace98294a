#include "kernels/cpu/isa.h"
#include "kernels/cpu/force_cpu.h"

#include <omp.h>
#include <string.h>

#define DECLARE(isa)                                                                               \
    void force_acceleration_##isa(size_t, const float(*)[4], float, double(*)[3]);                 \
    void force_potential_##isa(size_t, const float(*)[4], float, double *);

#define ENTRY(isa, words)                                                                          \
    static const struct force_cpu entry_##isa = {                                                  \
        .name = #isa,                                                                              \
        .doc = words,                                                                              \
        .usable = cpu_has_##isa,                                                                   \
        .acceleration = force_acceleration_##isa,                                                  \
        .potential = force_potential_##isa,                                                        \
    };

DECLARE(baseline)
ENTRY(baseline, "baseline, 4 lanes")

#ifdef FORCE_CPU_X86

DECLARE(avx2)
ENTRY(avx2, "AVX2, 8 lanes")
DECLARE(avx512)
ENTRY(avx512, "AVX-512, 16 lanes")

const struct force_cpu *const force_cpus[] = {&entry_avx512, &entry_avx2, &entry_baseline, NULL};

#else

const struct force_cpu *const force_cpus[] = {&entry_baseline, NULL};

#endif

const struct force_cpu *force_cpu_find(const char *name)
{
    for (const struct force_cpu *const *f = force_cpus; *f; f++)
        if ((strcmp(name, "auto") == 0 || strcmp(name, (*f)->name) == 0) && (*f)->usable())
            return *f;
    return NULL;
}

int force_cpu_threads(void)
{
    int threads = omp_get_max_threads();
    return threads > 1 && threads >= omp_get_num_procs() ? threads + 1 : threads;
}
