/* The CPU rungs and the loops that measure the processor's bound, with what each needs. */
#include "kernels/ladder/rungs_cpu.h"
#include "kernels/ladder/bound.h"

#define LAUNCH(function)                                                                           \
    static int launch_##function(const struct ladder_rung *rung, const struct ladder_shape *shape, \
                                 const struct ladder_bodies *bodies, unsigned turn, void *stream)  \
    {                                                                                              \
        (void)rung;                                                                                \
        (void)shape;                                                                               \
        (void)turn;                                                                                \
        (void)stream;                                                                              \
        ladder_##function(bodies);                                                                 \
        return 0;                                                                                  \
    }

LAUNCH(serial)
static const struct ladder_rung rung_serial = {
    .name = "serial",
    .idea = "the plain loop: one thread, scalar, root and division",
    .source = "gems3, stride",
    .backend = LADDER_CPU,
    .subset = 1,
    .launch = launch_serial,
};

#define ISA(isa)                                                                                   \
    LAUNCH(plain_##isa)                                                                            \
    static const struct ladder_rung rung_plain_##isa = {                                           \
        .name = "plain " #isa,                                                                     \
        .idea = "arrays, OpenMP and -ffast-math: vectors by the compiler (" #isa ")",              \
        .source = "bondarenko (OpenMP)",                                                           \
        .backend = LADDER_CPU,                                                                     \
        .subset = 1,                                                                               \
        .usable = has_##isa,                                                                       \
        .launch = launch_plain_##isa,                                                              \
    };                                                                                             \
    static const struct ladder_bound bound_##isa = {                                               \
        .name = #isa,                                                                              \
        .usable = has_##isa,                                                                       \
        .multiply_adds = ladder_multiply_adds_##isa,                                               \
        .roots = ladder_roots_##isa,                                                               \
        .interactions = ladder_interactions_##isa,                                                 \
    }

static int has_baseline(void)
{
    return 1;
}

ISA(baseline);

#ifdef LADDER_X86

static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("fma");
}

ISA(avx2);
ISA(avx512);

const struct ladder_rung *const ladder_cpu_rungs[] = {&rung_serial, &rung_plain_baseline,
                                                      &rung_plain_avx2, &rung_plain_avx512, NULL};
const struct ladder_bound *const ladder_bounds[] = {&bound_avx512, &bound_avx2, &bound_baseline,
                                                    NULL};

#else

const struct ladder_rung *const ladder_cpu_rungs[] = {&rung_serial, &rung_plain_baseline, NULL};
const struct ladder_bound *const ladder_bounds[] = {&bound_baseline, NULL};

#endif
