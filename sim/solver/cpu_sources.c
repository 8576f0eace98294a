#include "sim/solver/cpu_sources.h"
#include "kernels/rows.h"
#include "sim/solver/softening.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 2048 };

static size_t padded(size_t rows)
{
    return (rows + FORCE_PAD - 1) / FORCE_PAD * FORCE_PAD;
}

/* A number of a row, or of the halves. */
static double get(const void *numbers, size_t number, size_t i)
{
    return number == sizeof(double) ? ((const double *)numbers)[i]
                                    : (double)((const float *)numbers)[i];
}

static void set(void *numbers, size_t number, size_t i, double value)
{
    if (number == sizeof(double))
        ((double *)numbers)[i] = value;
    else
        ((float *)numbers)[i] = (float)value;
}

/* All zero; padded rows are a multiple of the alignment. */
static enum status allocate(void **out, size_t rows, size_t row_bytes)
{
    const size_t bytes = padded(rows) * row_bytes;
    *out = aligned_alloc(64, bytes);
    if (!*out)
        return status_fail(STATUS_RUNTIME,
                           "no memory for the sources of %zu bodies, %zu bytes; ask for fewer "
                           "with -n",
                           rows, bytes);
    memset(*out, 0, bytes);
    return STATUS_OK;
}

void cpu_sources_close(struct cpu_sources *sources)
{
    free(sources->rows);
    free(sources->halves);
    free(sources->part);
    free(sources->part_halves);
    *sources = (struct cpu_sources){0};
}

enum status cpu_sources_open(struct cpu_sources *sources, const struct solver_setup *setup,
                             const struct bodies *bodies)
{
    const size_t number = setup->force->number, count = bodies->count;
    const size_t part = (count + setup->subset - 1) / setup->subset;
    const bool some = setup->subset > 1;
    *sources = (struct cpu_sources){.number = number, .subset = setup->subset};
    enum status status = allocate(&sources->rows, count, 4 * number);
    if (status == STATUS_OK && some)
        status = allocate(&sources->part, part, 4 * number);
    if (status == STATUS_OK && setup->mixed)
        status = allocate(&sources->halves, count, number);
    if (status == STATUS_OK && setup->mixed && some)
        status = allocate(&sources->part_halves, part, number);
    if (status != STATUS_OK) {
        cpu_sources_close(sources);
        return status;
    }
    for (size_t i = 0; i < count; i++)
        set(sources->rows, number, 4 * i + 3, bodies->mass[i]);
    if (setup->mixed)
        softening_halves(bodies, setup->softening, padded(count), number, sources->halves);
    sources->read = (struct sources){
        .bodies = count,
        .rows = sources->rows,
        .halves = sources->halves,
        .count = part,
        .from = some ? sources->part : sources->rows,
        .from_halves = some ? sources->part_halves : sources->halves,
        .softening = setup->softening,
    };
    return STATUS_OK;
}

void cpu_sources_place(struct cpu_sources *sources, const double (*position)[3], int threads)
{
    const bool wide = sources->number == sizeof(double);
    double(*doubles)[4] = sources->rows;
    float(*floats)[4] = sources->rows;
#pragma omp parallel for schedule(dynamic, BATCH) num_threads(threads)
    for (size_t i = 0; i < sources->read.bodies; i++)
        for (int c = 0; c < 3; c++)
            if (wide)
                doubles[i][c] = position[i][c];
            else
                floats[i][c] = (float)position[i][c];
}

/* Every subset-th source from turn % subset on, heavier by the factor that the others are missing;
 * a row of no mass where the count does not divide. */
void cpu_sources_turn(struct cpu_sources *sources, uint64_t turn)
{
    const size_t number = sources->number, row = 4 * number, subset = sources->subset;
    if (subset == 1)
        return;
    for (size_t s = 0; s < sources->read.count; s++) {
        const size_t j = turn % subset + s * subset;
        char *part = (char *)sources->part + s * row;
        if (j >= sources->read.bodies) {
            set(part, number, 3, 0);
            continue;
        }
        memcpy(part, (const char *)sources->rows + j * row, row);
        set(part, number, 3, (double)subset * get(part, number, 3));
        if (sources->halves)
            set(sources->part_halves, number, s, get(sources->halves, number, j));
    }
}
