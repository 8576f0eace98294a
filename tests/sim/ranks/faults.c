#include "tests/sim/ranks/faults.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "kernels/exact_tree/exact_cells.h"
#include "sim/ranks/demand.h"

#include <stdlib.h>
#include <string.h>

static const char *planted = "";

bool fault_plant(const char *name)
{
    static const char *const names[] = {"cell", "cells", "summary", "body", "start", "order"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0) {
            planted = names[k];
            return true;
        }
    return false;
}

static bool is_planted(const char *name)
{
    return strcmp(planted, name) == 0;
}

/* ---- what is sent ---- */

/* The data sent to one rank. */
struct parcel {
    struct partial_cell *cells;
    struct partial_body *bodies;
    size_t cell_count, body_count;
};

static bool is_opened(const struct partial_cell *cell)
{
    return cell->split != EXACT_TREE_UNSENT && cell->split != cell->last;
}

/* Makes the first cell that is walked into one that is not, and drops all below it. */
static void cut_cell(struct parcel *parcel)
{
    size_t k = 0, cells = 0, bodies = 0;
    while (k < parcel->cell_count && !is_opened(parcel->cells + k))
        k++;
    if (k == parcel->cell_count)
        return;
    const struct partial_cell cut = parcel->cells[k];
    parcel->cells[k].split = EXACT_TREE_UNSENT;
    for (size_t i = 0; i < parcel->cell_count; i++) {
        const struct partial_cell cell = parcel->cells[i];
        if (cell.number == cut.number || cell.first < cut.first || cell.last > cut.last)
            parcel->cells[cells++] = cell;
    }
    for (size_t i = 0; i < parcel->body_count; i++) {
        const struct partial_body body = parcel->bodies[i];
        if (body.number < cut.first || body.number > cut.last)
            parcel->bodies[bodies++] = body;
    }
    parcel->cell_count = cells;
    parcel->body_count = bodies;
}

static bool is_picked(uint32_t number)
{
    return number % 16 == 5;
}

static void drop_summaries(struct parcel *parcel)
{
    size_t cells = 0;
    for (size_t i = 0; i < parcel->cell_count; i++)
        if (parcel->cells[i].split != EXACT_TREE_UNSENT || !is_picked(parcel->cells[i].number))
            parcel->cells[cells++] = parcel->cells[i];
    parcel->cell_count = cells;
}

static void drop_bodies(struct parcel *parcel)
{
    size_t bodies = 0;
    for (size_t i = 0; i < parcel->body_count; i++)
        if (!is_picked(parcel->bodies[i].number))
            parcel->bodies[bodies++] = parcel->bodies[i];
    parcel->body_count = bodies;
}

static void spoil(struct parcel *parcel, double margin)
{
    if (is_planted("cells") || (is_planted("cell") && margin < 0.01))
        cut_cell(parcel);
    if (is_planted("summary"))
        drop_summaries(parcel);
    if (is_planted("body"))
        drop_bodies(parcel);
}

enum status __real_offers_make(struct offers *offers, const struct demands *demands,
                               const struct exact_tree_walk *walk, const struct partial *partial,
                               const struct top *top, size_t first, double margin, int threads);
enum status __wrap_offers_make(struct offers *offers, const struct demands *demands,
                               const struct exact_tree_walk *walk, const struct partial *partial,
                               const struct top *top, size_t first, double margin, int threads);
enum status __wrap_offers_make(struct offers *offers, const struct demands *demands,
                               const struct exact_tree_walk *walk, const struct partial *partial,
                               const struct top *top, size_t first, double margin, int threads)
{
    const enum status status =
        __real_offers_make(offers, demands, walk, partial, top, first, margin, threads);
    char *from = offers->bytes, *to = offers->bytes;
    for (int r = 0; status == STATUS_OK && r < ranks_count(); r++) {
        const size_t bytes = offers->out[r], cells = offers->cells[r] * sizeof(struct partial_cell);
        struct parcel parcel = {.cells = memory_new(cells + 1, 1),
                                .bodies = memory_new(bytes - cells + 1, 1),
                                .cell_count = offers->cells[r],
                                .body_count = (bytes - cells) / sizeof(struct partial_body)};
        if (bytes > 0) {
            memcpy(parcel.cells, from, cells);
            memcpy(parcel.bodies, from + cells, bytes - cells);
            from += bytes;
            spoil(&parcel, margin);
            const size_t cell_bytes = parcel.cell_count * sizeof *parcel.cells;
            const size_t body_bytes = parcel.body_count * sizeof *parcel.bodies;
            memcpy(to, parcel.cells, cell_bytes);
            memcpy(to + cell_bytes, parcel.bodies, body_bytes);
            to += cell_bytes + body_bytes;
            offers->out[r] = cell_bytes + body_bytes;
            offers->cells[r] = parcel.cell_count;
        }
        free(parcel.cells);
        free(parcel.bodies);
    }
    return status;
}

/* ---- where stretches begin ---- */

/* Collective: each rank gives its first body to the one before it. */
static enum status move_starts(struct curve *curve, struct share *share)
{
    const size_t ranks = (size_t)ranks_count(), own = (size_t)ranks_own();
    size_t *out = memory_new(ranks, sizeof *out), *in = memory_new(ranks, sizeof *in);
    uint64_t *told = memory_new(ranks, sizeof *told), *heard = memory_new(ranks, sizeof *heard);
    struct share_body given = {0}, taken = {0};
    uint64_t key = 0;
    const bool gives = own > 0 && share->count > 1;
    if (gives) {
        given = share->body[0];
        told[own - 1] = 1 + curve->key[0];
        out[own - 1] = sizeof given;
    }
    enum status status = ranks_swap(told, heard);
    if (own + 1 < ranks && heard[own + 1] > 0) {
        in[own + 1] = sizeof taken;
        key = heard[own + 1] - 1;
    }
    if (status == STATUS_OK)
        status = ranks_exchange(&given, out, &taken, in);
    if (status == STATUS_OK && gives) {
        memmove(share->body, share->body + 1, (share->count - 1) * sizeof *share->body);
        memmove(curve->key, curve->key + 1, (share->count - 1) * sizeof *curve->key);
        share->count--;
    }
    if (status == STATUS_OK && own + 1 < ranks && in[own + 1] > 0) {
        status = share_room(share, share->count + 1);
        share->body[share->count] = taken;
        curve->key[share->count++] = key;
    }
    uint64_t *counts = memory_new(ranks, sizeof *counts), mine = share->count;
    for (size_t r = 0; r < ranks; r++)
        out[r] = sizeof *counts;
    if (status == STATUS_OK)
        status = ranks_gather(&mine, counts, out);
    for (size_t r = 0; r < ranks; r++)
        curve->starts[r + 1] = curve->starts[r] + counts[r];
    free(counts);
    free(out);
    free(in);
    free(told);
    free(heard);
    return status;
}

enum status __real_curve_sort(struct curve *curve, struct share *share,
                              const struct exact_tree_frame *frame, int threads);
enum status __wrap_curve_sort(struct curve *curve, struct share *share,
                              const struct exact_tree_frame *frame, int threads);
enum status __wrap_curve_sort(struct curve *curve, struct share *share,
                              const struct exact_tree_frame *frame, int threads)
{
    const enum status status = __real_curve_sort(curve, share, frame, threads);
    return status == STATUS_OK && is_planted("start") ? move_starts(curve, share) : status;
}

/* ---- moments ---- */

/* The mass of the first quarter is added last, instead of the second half's. */
static void fill_parent(const struct exact_tree *tree, uint32_t cell)
{
    exact_tree_fill_parent(tree, cell);
    const struct exact_tree_span span = tree->span[cell];
    if (!is_planted("order") || span.split == span.first)
        return;
    const struct exact_tree_span left = tree->span[span.split];
    if (left.split == EXACT_TREE_UNSENT || left.split == left.last)
        return;
    const struct exact_tree_part first = exact_tree_side(tree, left.split, left.first, left.split);
    const struct exact_tree_part second =
        exact_tree_side(tree, left.split + 1, left.split + 1, left.last);
    const struct exact_tree_part third =
        exact_tree_side(tree, span.split + 1, span.split + 1, span.last);
    const float rest = (float)(second.mass + third.mass);
    tree->place[cell].mass = tree->moments[cell].mass = (float)(first.mass + (double)rest);
}

/* These are taken instead of the library's. */
#define exact_tree_fill_parent fill_parent
#include "sim/ranks/partial.c"
