#include "sim/solver/cpu_force.h"
#include "sim/solver/softening.h"
#include "kernels/cpu/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t padded(size_t rows)
{
    return (rows + FORCE_PAD - 1) / FORCE_PAD * FORCE_PAD;
}

size_t cpu_force_sources(const struct cpu_force *force)
{
    return (force->count + force->subset - 1) / force->subset;
}

void cpu_force_close(struct cpu_force *force)
{
    free(force->rows);
    free(force->wide);
    free(force->part);
    free(force->wide_part);
    free(force->halves);
    free(force->wide_halves);
    free(force->part_halves);
    free(force->wide_part_halves);
}

/* Zeroed; what this mode does not need stays NULL. */
static enum status allocate(struct cpu_force *force, bool mixed)
{
    bool wide = force->mode == &force_double, some = force->subset > 1;
    size_t rows = padded(force->count), part = padded(cpu_force_sources(force));
    const struct {
        void **pointer;
        size_t bytes;
    } wanted[] = {
        {(void **)&force->rows, rows * sizeof *force->rows},
        {(void **)&force->wide, wide ? rows * sizeof *force->wide : 0},
        {(void **)&force->part, some && !wide ? part * sizeof *force->part : 0},
        {(void **)&force->wide_part, some && wide ? part * sizeof *force->wide_part : 0},
        {(void **)&force->halves, mixed && !wide ? rows * sizeof *force->halves : 0},
        {(void **)&force->wide_halves, mixed && wide ? rows * sizeof *force->wide_halves : 0},
        {(void **)&force->part_halves,
         mixed && some && !wide ? part * sizeof *force->part_halves : 0},
        {(void **)&force->wide_part_halves,
         mixed && some && wide ? part * sizeof *force->wide_part_halves : 0},
    };
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        if (wanted[w].bytes == 0)
            continue;
        *wanted[w].pointer = aligned_alloc(64, wanted[w].bytes);
        if (!*wanted[w].pointer)
            return status_fail(STATUS_RUNTIME,
                               "%zu bodies do not fit in memory; ask for fewer with -n",
                               force->count);
        memset(*wanted[w].pointer, 0, wanted[w].bytes);
    }
    return STATUS_OK;
}

static void describe(struct cpu_force *force, bool mixed)
{
    const char *softening = mixed ? ", softening by component" : "";
    if (force->subset > 1)
        snprintf(force->doc, sizeof force->doc, "1/%zu of the sources in turn, %s, %s%s",
                 force->subset, force->mode->name, force->cpu->doc, softening);
    else if (force->mode == &force_fast && !mixed)
        snprintf(force->doc, sizeof force->doc, "%s, %s, %d lanes",
                 force->count < FORCE_CPU_PAIRS_FROM ? "all pairs"
                                                     : "pairs once (Newton's third law)",
                 force->cpu->doc, force->cpu->lanes);
    else
        snprintf(force->doc, sizeof force->doc, "all pairs, %s, %s%s", force->mode->name,
                 force->cpu->doc, softening);
}

enum status cpu_force_open(struct cpu_force *force, const struct solver_params *params,
                           const struct bodies *bodies)
{
    const char *isa = params->isa ? params->isa : "auto";
    *force = (struct cpu_force){
        .mode = force_mode_find(params->force),
        .cpu = force_cpu_find(isa),
        .count = bodies->count,
        .subset = params->subset > 1 ? params->subset : 1,
        .softening = params->softening,
    };
    if (!force->cpu)
        return status_fail(STATUS_DEVICE,
                           "this processor has no '%s' kernel; choose auto or baseline", isa);
    enum status status = allocate(force, params->mixed);
    if (status != STATUS_OK) {
        cpu_force_close(force);
        return status;
    }
    if (params->mixed)
        softening_halves(bodies, params->softening, padded(bodies->count), force->halves,
                         force->wide_halves);
    describe(force, params->mixed);
    return STATUS_OK;
}

/* Every subset-th source from turn % subset on, heavier by the factor that the others are missing;
 * a row of no mass where the count does not divide. */
static void take_part(struct cpu_force *force, uint64_t turn)
{
    size_t n = cpu_force_sources(force), first = turn % force->subset;
    for (size_t s = 0; s < n; s++) {
        size_t j = first + s * force->subset;
        bool there = j < force->count;
        if (force->wide_part) {
            if (there)
                memcpy(force->wide_part[s], force->wide[j], sizeof *force->wide);
            force->wide_part[s][3] = there ? (double)force->subset * force->wide[j][3] : 0;
            if (there && force->wide_part_halves)
                force->wide_part_halves[s] = force->wide_halves[j];
        } else {
            if (there)
                memcpy(force->part[s], force->rows[j], sizeof *force->rows);
            force->part[s][3] = there ? (float)force->subset * force->rows[j][3] : 0;
            if (there && force->part_halves)
                force->part_halves[s] = force->halves[j];
        }
    }
}

void cpu_force_accelerate(struct cpu_force *force, uint64_t turn, double (*out)[3])
{
    const float(*rows)[4] = (const float(*)[4])force->rows, (*from)[4] = rows;
    const double(*wide)[4] = (const double(*)[4])force->wide, (*wide_from)[4] = wide;
    const struct force_cpu *direct = force->cpu;
    const float *halves = force->halves, *from_halves = halves;
    const double *wide_halves = force->wide_halves, *wide_from_halves = wide_halves;
    float softening = (float)force->softening;
    size_t count = force->count, n = cpu_force_sources(force);
    if (force->subset > 1) {
        take_part(force, turn);
        from = (const float(*)[4])force->part;
        wide_from = (const double(*)[4])force->wide_part;
        from_halves = force->part_halves;
        wide_from_halves = force->wide_part_halves;
    }
    if (force->mode == &force_double)
        direct->in_double(count, wide, n, wide_from, force->softening, wide_halves,
                          wide_from_halves, out);
    else if (force->mode == &force_exact)
        direct->exact(count, rows, n, from, softening, halves, from_halves, out);
    else if (force->subset > 1 || halves)
        direct->quick(count, rows, n, from, softening, halves, from_halves, out);
    else
        force->cpu->fast(count, rows, softening, out);
}

void cpu_force_potential(const struct cpu_force *force, double *out)
{
    const float(*rows)[4] = (const float(*)[4])force->rows;
    if (force->mode == &force_double)
        force->cpu->double_potential(force->count, (const double(*)[4])force->wide,
                                     force->softening, force->wide_halves, out);
    else if (force->mode == &force_exact || force->halves)
        force->cpu->exact_potential(force->count, rows, (float)force->softening, force->halves,
                                    out);
    else
        force->cpu->fast_potential(force->count, rows, (float)force->softening, out);
}
