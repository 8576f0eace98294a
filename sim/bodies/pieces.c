#include "sim/bodies/pieces.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"

#include <stdlib.h>

enum { PIECE = 1 << 18 };

/* What goes through rank 0, and the way. */
struct passing {
    const struct bodies *bodies;
    size_t width, bytes; /* of a row */
    double *rows, *piece;
    bool deals;
    pieces_take take; /* on rank 0 */
    pieces_give give;
    void *user;
    size_t *bytes_of; /* [ranks] */
};

/* Collective: `count` rows of a rank, from its row `first` on. */
static enum status pass_piece(struct passing *passing, int rank, size_t first, size_t count)
{
    const bool own = rank == ranks_own(), leads = ranks_own() == 0;
    const size_t bytes = own ? count * passing->bytes : 0;
    double *rows = passing->rows + first * passing->width;
    enum status status = STATUS_OK;
    for (int r = 0; r < ranks_count(); r++)
        passing->bytes_of[r] = r == rank ? count * passing->bytes : 0;
    if (passing->deals) {
        if (leads)
            status = passing->give(passing->user, passing->piece, count);
        return status == STATUS_OK ? ranks_deal(passing->piece, passing->bytes_of, rows, bytes, 0)
                                   : status;
    }
    status = ranks_collect(rows, bytes, passing->piece, passing->bytes_of, 0);
    return status == STATUS_OK && leads ? passing->take(passing->user, passing->piece, count)
                                        : status;
}

/* Collective. */
static enum status pass_component(struct passing *passing, const struct component *component)
{
    const size_t ranks = (size_t)ranks_count();
    uint64_t own = component->count, *counts = memory_new(ranks, sizeof *counts);
    enum status status = ranks_gather_each(&own, counts, sizeof own);
    for (size_t r = 0; r < ranks; r++)
        for (size_t begin = 0; begin < counts[r] && status == STATUS_OK; begin += PIECE) {
            const size_t rest = (size_t)counts[r] - begin;
            const bool here = r == (size_t)ranks_own();
            status = pass_piece(passing, (int)r, here ? component->first + begin : 0,
                                rest < PIECE ? rest : PIECE);
        }
    free(counts);
    return status;
}

static enum status pass_all(struct passing *passing)
{
    const struct bodies *bodies = passing->bodies;
    if (!bodies->shared)
        return !passing->deals ? passing->take(passing->user, passing->rows, bodies->count)
                               : passing->give(passing->user, passing->rows, bodies->count);
    const bool leads = ranks_own() == 0;
    passing->piece = leads ? malloc(PIECE * passing->bytes) : NULL;
    passing->bytes_of = memory_new((size_t)ranks_count(), sizeof *passing->bytes_of);
    enum status status = STATUS_OK;
    if (leads && !passing->piece)
        status = status_fail(STATUS_RUNTIME, "no memory to pass on bodies");
    for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++)
        status = pass_component(passing, &bodies->components[c]);
    free(passing->piece);
    free(passing->bytes_of);
    return status;
}

enum status pieces_pass(const struct bodies *bodies, const double *rows, size_t width,
                        pieces_take take, void *user)
{
    struct passing passing = {.bodies = bodies,
                              .width = width,
                              .bytes = width * sizeof *rows,
                              .rows = (double *)rows,
                              .take = take,
                              .user = user};
    return pass_all(&passing);
}

enum status pieces_deal(const struct bodies *bodies, double *rows, size_t width, pieces_give give,
                        void *user)
{
    struct passing passing = {.bodies = bodies,
                              .width = width,
                              .bytes = width * sizeof *rows,
                              .rows = rows,
                              .deals = true,
                              .give = give,
                              .user = user};
    return pass_all(&passing);
}
