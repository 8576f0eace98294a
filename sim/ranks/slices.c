/* All pairs on ranks: each has a slice of the rows as sinks, and the rows of all bodies as
 * sources. */
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "kernels/isa.h"
#include "sim/gravity/force.h"
#include "sim/ranks/rank_device.h"
#include "sim/ranks/method.h"
#include "sim/solver/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a block: whole tiles, and whole groups of targets of every kernel. */
enum { BLOCK = 1024 };

struct slices {
    struct method method;
    struct cpu_sources sources;
    struct device *device;                        /* NULL: the processors compute */
    size_t begin, end;                            /* the rank's rows */
    uint64_t pairs;                               /* of an evaluation; rank 0 shows those of all
                                                   * ranks in its force */
    double (*position)[3], (*out)[3], *potential; /* [end - begin] */
    size_t *row_bytes, *centre_bytes;             /* [ranks]: that each sends to the others */
    void *own_rows, *own_centres;                 /* what this rank sends to the others */
};

static struct slices *slices_of(struct method *method)
{
    return (struct slices *)method;
}

static void close_slices(struct method **method)
{
    if (!*method)
        return;
    struct slices *m = slices_of(*method);
    device_close(&m->device);
    cpu_sources_close(&m->sources);
    force_close(&m->method.force);
    free(m->position);
    free(m->out);
    free(m->potential);
    free(m->row_bytes);
    free(m->centre_bytes);
    free(m->own_rows);
    free(m->own_centres);
    free(m);
    *method = NULL;
}

/* Takes the device of the rank's number on its host, if CUDA may be used and there is one. */
static enum status open_device(struct slices *m, const struct solver_setup *solver)
{
    const int number = device_of_rank(solver);
    if (number < 0 || m->begin == m->end)
        return STATUS_OK;
    const enum status status = device_open(&m->device, number, solver, &m->sources);
    if (status == STATUS_OK) {
        m->method.where = device_name(m->device);
        snprintf(m->method.force->kernel, sizeof m->method.force->kernel, "%s",
                 device_force(m->device)->kernel);
        return STATUS_OK;
    }
    if (strcmp(solver->backend, "cuda") == 0)
        return status;
    log_debug("%s uses its processors: %s", ranks_name(ranks_own()), status_text());
    return STATUS_OK;
}

static enum status open_slices(struct method **out, const struct method_setup *setup)
{
    const struct solver_setup *solver = setup->solver;
    const size_t total = setup->total, own = (size_t)ranks_own(), ranks = (size_t)ranks_count();
    struct slices *m = memory_new(1, sizeof *m);
    *out = &m->method;
    enum status status = cpu_sources_open(&m->sources, solver, setup->bodies);
    if (status != STATUS_OK)
        return status;
    m->row_bytes = memory_new(ranks, sizeof *m->row_bytes);
    m->centre_bytes = memory_new(ranks, sizeof *m->centre_bytes);
    for (size_t r = 0; r < ranks; r++) {
        const size_t begin = share_begin(total, BLOCK, (int)r),
                     end = share_begin(total, BLOCK, (int)r + 1);
        m->row_bytes[r] = (end - begin) * 4 * m->sources.number;
        m->centre_bytes[r] =
            solver->force->tiled ? (tiles_for(end) - tiles_for(begin)) * sizeof(double[3]) : 0;
    }
    m->begin = share_begin(total, BLOCK, (int)own);
    m->end = share_begin(total, BLOCK, (int)own + 1);
    const size_t count = m->end - m->begin;
    m->position = memory_new(count + 1, sizeof *m->position);
    m->out = memory_new(count + 1, sizeof *m->out);
    m->potential = memory_new(count + 1, sizeof *m->potential);
    m->own_rows = memory_new(m->row_bytes[own] + 1, 1);
    m->own_centres = memory_new(m->centre_bytes[own] + 1, 1);
    m->sources.read.begin = m->begin;
    m->sources.read.end = m->end;
    m->sources.read.order = NULL;
    const struct force_request request = {
        .bodies = count,
        .slice = true,
        .sources = m->sources.read.count,
        .subset = solver->subset,
        .mixed = solver->mixed,
        .spline = solver->spline,
        .error = solver->force_error,
        .kernel = solver->kernel,
    };
    status = force_open(solver->force, solver->path, &request, &m->method.force);
    if (status != STATUS_OK)
        return status;
    m->pairs = (uint64_t)m->method.force->interactions;
    return open_device(m, solver);
}

static const uint32_t *order_of_slices(const struct method *method)
{
    return ((const struct slices *)method)->sources.tiles.order;
}

/* Collective: the rows of all bodies. */
static enum status place_rows(struct slices *m, const struct share *share)
{
    const size_t own = (size_t)ranks_own();
    for (size_t i = 0; i < share->count; i++)
        memcpy(m->position[i], share->body[i].position, sizeof *m->position);
    cpu_sources_place_some(&m->sources, m->begin, m->end, (const double(*)[3])m->position,
                           force_cpu_threads());
    memcpy(m->own_rows, (char *)m->sources.rows + m->begin * 4 * m->sources.number,
           m->row_bytes[own]);
    enum status status = ranks_gather(m->own_rows, m->sources.rows, m->row_bytes);
    if (status != STATUS_OK || !m->sources.centres)
        return status;
    memcpy(m->own_centres, m->sources.centres + tiles_for(m->begin), m->centre_bytes[own]);
    return ranks_gather(m->own_centres, m->sources.centres, m->centre_bytes);
}

static enum status accelerate_slices(struct method *method, struct share *share, uint64_t turn,
                                     struct method_work *work)
{
    struct slices *m = slices_of(method);
    enum status status = place_rows(m, share);
    if (status != STATUS_OK)
        return status;
    cpu_sources_turn(&m->sources, turn);
    int failed = 0;
    if (share->count > 0 && m->device)
        failed = (int)device_accelerate(m->device, &m->sources, m->out);
    else if (share->count > 0)
        failed = m->method.force->path->accelerate(m->method.force, &m->sources.read, m->out, NULL);
    for (size_t i = 0; i < share->count; i++)
        memcpy(share->body[i].acceleration, m->out[i], sizeof *m->out);
    uint64_t pairs = m->pairs;
    status = ranks_agree((enum status)failed);
    if (status == STATUS_OK)
        status = ranks_sum(&pairs, 1);
    work->pairs += pairs;
    return status;
}

static enum status slices_potential(struct method *method, struct share *share, double **out)
{
    struct slices *m = slices_of(method);
    int failed = 0;
    enum status status = place_rows(m, share);
    if (status == STATUS_OK && share->count > 0)
        failed =
            m->method.force->path->potential(m->method.force, &m->sources.read, m->potential, NULL);
    *out = m->potential;
    return status == STATUS_OK ? ranks_agree((enum status)failed) : status;
}

#define SLICES(kind)                                                                               \
    const struct method_ops method_slices_##kind = {                                               \
        .force = &force_##kind,                                                                    \
        .whole = true,                                                                             \
        .block = BLOCK,                                                                            \
        .open = open_slices,                                                                       \
        .order = order_of_slices,                                                                  \
        .accelerate = accelerate_slices,                                                           \
        .potential = slices_potential,                                                             \
        .close = close_slices,                                                                     \
    }

SLICES(fast);
SLICES(exact);
SLICES(double);
