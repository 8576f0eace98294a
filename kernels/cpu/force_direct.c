#include "kernels/cpu/isa.h"
#include "kernels/force_direct.h"

#include <string.h>

/* Groups enough to fill a device when targets are few, and few enough to bound the slots. */
enum { GROUPS_MIN = 4, GROUPS_MAX = 64 };

static const size_t GROUPED_SOURCES = (size_t)1 << 22;

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

size_t force_direct_share(size_t sources)
{
    size_t groups = GROUPED_SOURCES / (sources > 0 ? sources : 1);
    groups = groups < GROUPS_MIN ? GROUPS_MIN : groups > GROUPS_MAX ? GROUPS_MAX : groups;
    size_t share = divide_up(divide_up(sources, FORCE_DIRECT_TILE), groups);
    return share > 0 ? share : 1;
}

void force_direct_plan(size_t targets, size_t sources, struct force_direct_plan *plan)
{
    size_t tile = FORCE_DIRECT_TILE * (targets < 16384 ? 2 : 4);
    size_t share = force_direct_share(sources);
    *plan = (struct force_direct_plan){
        .targets = targets,
        .sources = sources,
        .tile = (unsigned)tile,
        .stride = divide_up(targets, tile) * tile,
        .share = (unsigned)share,
        .groups = (unsigned)divide_up(divide_up(sources, FORCE_DIRECT_TILE), share),
    };
    plan->slot_bytes = plan->groups * plan->stride * sizeof(double[3]);
}

#define DECLARE(isa)                                                                               \
    void force_exact_##isa(size_t, const float(*)[4], size_t, const float(*)[4], float,            \
                           const float *, const float *, double(*)[3]);                            \
    void force_quick_##isa(size_t, const float(*)[4], size_t, const float(*)[4], float,            \
                           const float *, const float *, double(*)[3]);                            \
    void force_double_##isa(size_t, const double(*)[4], size_t, const double(*)[4], double,        \
                            const double *, const double *, double(*)[3]);                         \
    void force_exact_potential_##isa(size_t, const float(*)[4], float, const float *, double *);   \
    void force_double_potential_##isa(size_t, const double(*)[4], double, const double *, double *);

#define ENTRY(isa, words)                                                                          \
    static const struct force_direct_cpu entry_##isa = {                                           \
        .name = #isa,                                                                              \
        .doc = words,                                                                              \
        .usable = cpu_has_##isa,                                                                   \
        .exact = force_exact_##isa,                                                                \
        .quick = force_quick_##isa,                                                                \
        .in_double = force_double_##isa,                                                           \
        .exact_potential = force_exact_potential_##isa,                                            \
        .double_potential = force_double_potential_##isa,                                          \
    };

DECLARE(baseline)
ENTRY(baseline, "baseline")

#ifdef FORCE_CPU_X86

DECLARE(avx2)
ENTRY(avx2, "AVX2")
DECLARE(avx512)
ENTRY(avx512, "AVX-512")

const struct force_direct_cpu *const force_direct_cpus[] = {&entry_avx512, &entry_avx2,
                                                            &entry_baseline, NULL};

#else

const struct force_direct_cpu *const force_direct_cpus[] = {&entry_baseline, NULL};

#endif

const struct force_direct_cpu *force_direct_find(const char *name)
{
    for (const struct force_direct_cpu *const *f = force_direct_cpus; *f; f++)
        if ((strcmp(name, "auto") == 0 || strcmp(name, (*f)->name) == 0) && (*f)->usable())
            return *f;
    return NULL;
}
