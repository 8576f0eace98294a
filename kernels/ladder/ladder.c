#include "kernels/ladder/ladder.h"
#include "kernels/isa.h"

#include <math.h>
#include <string.h>

/* ---- what there is ---- */

static const struct ladder_rung rung_serial = {.name = "serial", .launch = ladder_serial};

#define PLAIN(isa)                                                                                 \
    static const struct ladder_rung rung_plain_##isa = {                                           \
        .name = "plain " #isa, .usable = cpu_has_##isa, .launch = ladder_plain_##isa};             \
    static const struct ladder_bound bound_##isa = {                                               \
        .name = #isa,                                                                              \
        .usable = cpu_has_##isa,                                                                   \
        .multiply_adds = ladder_multiply_adds_##isa,                                               \
        .roots = ladder_roots_##isa,                                                               \
        .interactions = ladder_interactions_##isa,                                                 \
    };
EACH_ISA(PLAIN)

#define RUNG(isa)  &rung_plain_##isa,
#define BOUND(isa) &bound_##isa,
const struct ladder_rung *const ladder_cpu_rungs[] = {
    &rung_serial, IF_BASELINE(RUNG) IF_NEON(RUNG) IF_AVX2(RUNG) IF_AVX512(RUNG) NULL};
const struct ladder_bound *const ladder_bounds[] = {EACH_ISA(BOUND) NULL};

const struct ladder_rung *ladder_find(const char *name)
{
    for (int cuda = 0; cuda < 2; cuda++)
        for (const struct ladder_rung *const *rung = cuda ? ladder_cuda_rungs : ladder_cpu_rungs;
             *rung; rung++)
            if (strcmp((*rung)->name, name) == 0)
                return *rung;
    return NULL;
}

const struct ladder_rung *ladder_plain_best(void)
{
    const struct ladder_rung *best = NULL;
    for (const struct ladder_rung *const *rung = ladder_cpu_rungs + 1; *rung; rung++)
        if ((*rung)->usable())
            best = *rung;
    return best;
}

/* ---- memory and reference ---- */

size_t ladder_rows(size_t count)
{
    return (count + LADDER_PAD - 1) / LADDER_PAD * LADDER_PAD;
}

struct ladder_bodies ladder_lay_out(float *memory, size_t count, float softening)
{
    size_t rows = ladder_rows(count);
    return (struct ladder_bodies){
        .count = count,
        .x = memory,
        .y = memory + rows,
        .z = memory + 2 * rows,
        .mass = memory + 3 * rows,
        .rows = memory + 4 * rows,
        .softening = softening,
        .acceleration = memory + LADDER_INPUT * rows,
    };
}

void ladder_fill(float *memory, size_t count, const double *mass, const double (*position)[3])
{
    size_t padded = ladder_rows(count);
    float *rows = memory + 4 * padded;
    memset(memory, 0, LADDER_INPUT * padded * sizeof *memory);
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < 3; c++)
            memory[c * padded + i] = rows[4 * i + c] = (float)position[i][c];
        memory[3 * padded + i] = rows[4 * i + 3] = (float)mass[i];
    }
}

void ladder_reference(size_t count, const double *mass, const double (*position)[3],
                      double softening, size_t targets, const size_t *which,
                      double (*acceleration)[3])
{
    double softening2 = softening * softening;

#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < targets; k++) {
        size_t i = which[k];
        double a[3] = {0};
        for (size_t j = 0; j < count; j++) {
            double d[3], r2 = softening2;
            for (int c = 0; c < 3; c++) {
                d[c] = position[j][c] - position[i][c];
                r2 += d[c] * d[c];
            }
            double pull = mass[j] / (r2 * sqrt(r2));
            for (int c = 0; c < 3; c++)
                a[c] += pull * d[c];
        }
        for (int c = 0; c < 3; c++)
            acceleration[k][c] = a[c];
    }
}

#ifdef LADDER_WITHOUT_CUDA
const struct ladder_rung *const ladder_cuda_rungs[] = {NULL};
#endif
