#include "kernels/ladder/rungs_cpu.h"
#include "kernels/isa.h"
#include "kernels/ladder/plain_isa.h"
#include "kernels/ladder/serial.h"

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

#define PLAIN(isa)                                                                                 \
    LAUNCH(plain_##isa)                                                                            \
    static const struct ladder_rung rung_plain_##isa = {                                           \
        .name = "plain " #isa,                                                                     \
        .idea = "arrays, OpenMP and -ffast-math: vectors by the compiler (" #isa ")",              \
        .source = "bondarenko (OpenMP)",                                                           \
        .backend = LADDER_CPU,                                                                     \
        .subset = 1,                                                                               \
        .usable = cpu_has_##isa,                                                                   \
        .launch = launch_plain_##isa,                                                              \
    };
EACH_ISA(PLAIN)

#define ROW(isa) &rung_plain_##isa,
const struct ladder_rung *const ladder_cpu_rungs[] = {
    &rung_serial, IF_BASELINE(ROW) IF_NEON(ROW) IF_AVX2(ROW) IF_AVX512(ROW) NULL};
