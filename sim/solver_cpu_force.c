#include "sim/solver_cpu_force.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *zeros(size_t rows, size_t row_size)
{
    size_t padded = (rows + FORCE_PAD - 1) / FORCE_PAD * FORCE_PAD;
    void *block = aligned_alloc(64, padded * row_size);
    if (block)
        memset(block, 0, padded * row_size);
    return block;
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
}

enum status cpu_force_open(struct cpu_force *force, const struct solver_params *params,
                           size_t count)
{
    const char *isa = params->isa ? params->isa : "auto";
    *force = (struct cpu_force){
        .mode = force_mode_find(params->force),
        .cpu = force_cpu_find(isa),
        .direct = force_direct_find(isa),
        .count = count,
        .subset = params->subset > 1 ? params->subset : 1,
        .softening = params->softening,
    };
    if (!force->cpu || !force->direct)
        return status_fail(STATUS_DEVICE,
                           "this processor has no '%s' kernel; choose auto or baseline", isa);
    bool wide = force->mode == &force_double, some = force->subset > 1;
    force->rows = zeros(count, sizeof *force->rows);
    if (wide)
        force->wide = zeros(count, sizeof *force->wide);
    if (some && wide)
        force->wide_part = zeros(cpu_force_sources(force), sizeof *force->wide_part);
    else if (some)
        force->part = zeros(cpu_force_sources(force), sizeof *force->part);
    if (!force->rows || (wide && !force->wide) || (some && !force->part && !force->wide_part)) {
        cpu_force_close(force);
        return status_fail(STATUS_RUNTIME, "%zu bodies do not fit in memory; ask for fewer with -n",
                           count);
    }
    if (force->mode == &force_fast && !some)
        snprintf(force->doc, sizeof force->doc, "%s, %s",
                 count < FORCE_CPU_PAIRS_FROM ? "all pairs" : "pairs once (Newton's third law)",
                 force->cpu->doc);
    else if (some)
        snprintf(force->doc, sizeof force->doc, "1/%zu of the sources in turn, %s, %s",
                 force->subset, force->mode->name, force->direct->doc);
    else
        snprintf(force->doc, sizeof force->doc, "all pairs, %s, %s", force->mode->name,
                 force->direct->doc);
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
        } else {
            if (there)
                memcpy(force->part[s], force->rows[j], sizeof *force->rows);
            force->part[s][3] = there ? (float)force->subset * force->rows[j][3] : 0;
        }
    }
}

void cpu_force_accelerate(struct cpu_force *force, uint64_t turn, double (*out)[3])
{
    const float(*rows)[4] = (const float(*)[4])force->rows, (*from)[4] = rows;
    const double(*wide)[4] = (const double(*)[4])force->wide, (*wide_from)[4] = wide;
    const struct force_direct_cpu *direct = force->direct;
    float softening = (float)force->softening;
    size_t count = force->count, n = cpu_force_sources(force);
    if (force->subset > 1) {
        take_part(force, turn);
        from = (const float(*)[4])force->part;
        wide_from = (const double(*)[4])force->wide_part;
    }
    if (force->mode == &force_double)
        direct->in_double(count, wide, n, wide_from, force->softening, out);
    else if (force->mode == &force_exact)
        direct->exact(count, rows, n, from, softening, out);
    else if (force->subset > 1)
        direct->quick(count, rows, n, from, softening, out);
    else
        force->cpu->acceleration(count, rows, softening, out);
}

void cpu_force_potential(const struct cpu_force *force, double *out)
{
    const float(*rows)[4] = (const float(*)[4])force->rows;
    if (force->mode == &force_double)
        force->direct->double_potential(force->count, (const double(*)[4])force->wide,
                                        force->softening, out);
    else if (force->mode == &force_exact)
        force->direct->exact_potential(force->count, rows, (float)force->softening, out);
    else
        force->cpu->potential(force->count, rows, (float)force->softening, out);
}
