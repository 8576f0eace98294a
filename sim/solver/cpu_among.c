#include "sim/solver/cpu_among.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cpu_among_close(struct cpu_among **among)
{
    struct cpu_among *a = *among;
    if (!a)
        return;
    force_close(&a->force);
    free(a->body);
    free(a->rows);
    free(a->halves);
    free(a->acceleration);
    free(a);
    *among = NULL;
}

static enum status allocate(struct cpu_among *a)
{
    const size_t room = a->count > 0 ? a->count : 1;
    a->body = malloc(room * sizeof *a->body);
    a->rows = malloc(room * sizeof *a->rows);
    a->halves = malloc(room * sizeof *a->halves);
    a->acceleration = malloc(room * sizeof *a->acceleration);
    if (!a->body || !a->rows || !a->halves || !a->acceleration)
        return status_fail(STATUS_RUNTIME,
                           "no memory for the pulls of %zu bodies on each other, %zu bytes",
                           a->count,
                           room * (sizeof *a->body + sizeof *a->rows + sizeof *a->halves +
                                   sizeof *a->acceleration));
    return STATUS_OK;
}

/* Sets masses and softenings of the bodies from that rung on. */
static void fill(struct cpu_among *a, const struct sources *all, const uint8_t *rungs, int from,
                 bool spline)
{
    const double(*rows)[4] = all->rows, *halves = all->halves;
    bool equal = true;
    for (size_t i = 0, k = 0; i < all->bodies; i++) {
        if (rungs[i] < from)
            continue;
        a->body[k] = (uint32_t)i;
        a->rows[k][3] = rows[i][3];
        a->halves[k] = halves ? halves[i] : 0;
        equal = equal && a->halves[k] == a->halves[0];
        k++;
    }
    const bool mixed = spline || !equal;
    a->read = (struct sources){
        .bodies = a->count,
        .end = a->count,
        .rows = a->rows,
        .halves = mixed ? a->halves : NULL,
        .count = a->count,
        .from = a->rows,
        .from_halves = mixed ? a->halves : NULL,
        .softening = halves && a->count > 0 ? sqrt(2 * halves[a->body[0]]) : all->softening,
    };
}

enum status cpu_among_open(struct cpu_among **out, const struct force *all,
                           const struct force_request *request, const struct sources *sources,
                           const uint8_t *rungs, int from)
{
    struct cpu_among *a = memory_new(1, sizeof *a);
    *out = NULL;
    for (size_t i = 0; i < sources->bodies; i++)
        a->count += rungs[i] >= from;
    enum status status = allocate(a);
    if (status == STATUS_OK)
        fill(a, sources, rungs, from, request->spline);
    struct force_request among = *request;
    among.bodies = among.sources = a->count;
    among.among = sources->bodies;
    among.mixed = a->read.halves != NULL;
    if (status == STATUS_OK && a->count > 0)
        status = force_open(all->ops, all->path, &among, &a->force);
    if (status == STATUS_OK)
        *out = a;
    else
        cpu_among_close(&a);
    return status;
}

enum status cpu_among_evaluate(struct cpu_among *a, const struct sources *sources,
                               const double (*whole)[3])
{
    const double(*rows)[4] = sources->rows;
    for (size_t k = 0; k < a->count; k++) {
        memcpy(a->rows[k], rows[a->body[k]], 3 * sizeof(double));
        if (!a->begun)
            memcpy(a->acceleration[k], whole[a->body[k]], sizeof *a->acceleration);
    }
    a->known = a->begun = true;
    if (a->count == 0)
        return STATUS_OK;
    return (enum status)a->force->path->accelerate(a->force, &a->read, a->acceleration, NULL);
}
