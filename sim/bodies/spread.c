#include "sim/bodies/spread.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/bodies_whole.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 18 };

/* A transfer of rows through rank 0. */
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

/* Rank 0 sends these counts of all bodies to every rank. */
struct heading {
    uint64_t components, columns, ids;
};

/* Reduces a component to this rank's share. */
static void divide_component(struct component *component, size_t first, enum division division)
{
    const bool leads = ranks_own() == 0;
    const size_t whole = component->count;
    if (division == DIVIDE_EVENLY) {
        whole_divide(component, first, (unsigned)ranks_own(), (unsigned)ranks_count());
        return;
    }
    component->whole = whole;
    component->before = leads ? 0 : whole;
    component->first = first;
    component->count = leads ? whole : 0;
}

/* Collective: this rank's bodies, without numbers; none for what keeps its own. */
static enum status create_share(const struct bodies *all, const struct heading *heading,
                                enum division division, struct body_column *columns,
                                struct bodies **out)
{
    struct component *components = memory_new(heading->components, sizeof *components);
    size_t count = 0;
    if (all)
        memcpy(components, all->components, heading->components * sizeof *components);
    enum status status = ranks_share(components, heading->components * sizeof *components, 0);
    if (status == STATUS_OK)
        status = ranks_share(columns, heading->columns * sizeof *columns, 0);
    for (size_t c = 0; c < heading->components; count += components[c++].count)
        divide_component(&components[c], count, division);
    if (status == STATUS_OK && division == DIVIDE_FIRST)
        count = 0; /* rank 0 has them already */
    if (status == STATUS_OK)
        status = bodies_create(out, count, heading->components);
    if (status == STATUS_OK) {
        memcpy((*out)->components, components, heading->components * sizeof *components);
        (*out)->shared = division;
    }
    if (status == STATUS_OK && heading->ids)
        status = bodies_add_ids(*out, count);
    for (size_t k = 0; k < heading->columns && status == STATUS_OK; k++)
        status = body_columns_add(&(*out)->columns, columns[k].name, columns[k].unit,
                                  columns[k].single, count);
    free(components);
    return status;
}

/* An array of rank 0, from its next row on. */
struct source {
    const char *next;
    size_t bytes; /* of a row */
};

static enum status give_rows(void *user, double *rows, size_t count)
{
    struct source *source = user;
    memcpy(rows, source->next, count * source->bytes);
    source->next += count * source->bytes;
    return STATUS_OK;
}

static enum status deal(const struct bodies *share, const void *from, size_t width, void *to)
{
    struct source source = {from, width * sizeof(double)};
    return pieces_deal(share, to, width, give_rows, &source);
}

/* Collective. */
static enum status deal_all(const struct bodies *all, const struct heading *heading,
                            const struct body_column *columns, struct bodies *own)
{
    enum status status = deal(own, all ? all->mass : NULL, 1, own->mass);
    if (status == STATUS_OK)
        status = deal(own, all ? all->position : NULL, 3, own->position);
    if (status == STATUS_OK)
        status = deal(own, all ? all->velocity : NULL, 3, own->velocity);
    if (status == STATUS_OK && heading->ids)
        status = deal(own, all ? all->id : NULL, 1, own->id);
    for (size_t k = 0; k < heading->columns && status == STATUS_OK; k++)
        status = deal(own, all ? columns[k].value : NULL, 1, own->columns.list[k].value);
    return status;
}

/* Rank 0's bodies, with the components of the share. */
static void keep_all(struct bodies **all, struct bodies **share)
{
    memcpy((*all)->components, (*share)->components,
           (*all)->component_count * sizeof *(*all)->components);
    (*all)->shared = DIVIDE_FIRST;
    bodies_destroy(share);
    *share = *all;
    *all = NULL;
}

enum status bodies_spread(struct bodies **whole, enum division division, struct bodies **out)
{
    const struct bodies *all = *whole;
    struct heading heading = {0};
    struct body_column *columns = memory_new(all ? all->columns.count + 1 : 1, sizeof *columns);
    if (all)
        heading = (struct heading){all->component_count, 0, all->id != NULL};
    /* Columns of words stay with rank 0, because ranks exchange numbers. */
    for (size_t c = 0; all && c < all->columns.count; c++)
        if (!all->columns.list[c].words)
            columns[heading.columns++] = all->columns.list[c];
    enum status status = ranks_share(&heading, sizeof heading, 0);
    columns = memory_grow(columns, heading.columns + 1, sizeof *columns);
    if (status == STATUS_OK)
        status = ranks_agree(create_share(all, &heading, division, columns, out));
    if (status == STATUS_OK && division == DIVIDE_EVENLY)
        status = deal_all(all, &heading, columns, *out);
    free(columns);
    if (status != STATUS_OK)
        bodies_destroy(out);
    else if (division == DIVIDE_FIRST && all)
        keep_all(whole, out);
    return status;
}
