#include "sim/ranks/top.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/gravity/exact_tree/exact_build.h"
#include "sim/ranks/stretch_device.h"

#include <stdlib.h>
#include <string.h>

/* The data that a rank sends to the others. */
struct edge {
    uint64_t first, last; /* keys */
    uint32_t count, spare;
    struct top_cut cuts[TOP_CUTS_MOST];
};

void top_close(struct top *top)
{
    free(top->cells);
    free(top->branches);
    *top = (struct top){0};
}

static uint32_t shared_at(const struct curve *curve, size_t k)
{
    const uint32_t place = (uint32_t)(curve->starts[ranks_own()] + k);
    return (uint32_t)exact_tree_shared(curve->key[k], curve->key[k + 1], place, place + 1);
}

/* Collects the cuts between bodies of this rank whose cells reach across the border before it or
 * behind it: those with fewer shared bits than all cuts up to the border. */
static void find_cuts(const struct curve *curve, size_t own, struct edge *edge)
{
    const size_t start = curve->starts[ranks_own()];
    uint32_t low = UINT32_MAX;
    bool *taken = memory_new(own, sizeof *taken);
    for (size_t k = 0; k + 1 < own && start > 0; k++) {
        const uint32_t shared = shared_at(curve, k);
        taken[k] = shared < low;
        low = shared < low ? shared : low;
    }
    low = UINT32_MAX;
    for (size_t k = own - 1; k-- > 0 && start + own < curve->total;) {
        const uint32_t shared = shared_at(curve, k);
        taken[k] |= shared < low;
        low = shared < low ? shared : low;
    }
    for (size_t k = 0; k + 1 < own && edge->count < TOP_CUTS_MOST; k++)
        if (taken[k])
            edge->cuts[edge->count++] =
                (struct top_cut){(uint32_t)(start + k), shared_at(curve, k)};
    free(taken);
}

/* The cuts of all ranks and those between ranks, along the curve. */
static size_t all_cuts(const struct curve *curve, const struct edge *edges, struct top_cut *cuts)
{
    size_t count = 0;
    int before = -1; /* the last rank that has bodies */
    for (int r = 0; r < ranks_count(); r++) {
        const size_t start = curve->starts[r];
        if (curve->starts[r + 1] == start)
            continue;
        if (before >= 0) {
            const uint32_t place = (uint32_t)start - 1;
            cuts[count++] = (struct top_cut){
                place,
                (uint32_t)exact_tree_shared(edges[before].last, edges[r].first, place, place + 1)};
        }
        memcpy(cuts + count, edges[r].cuts, edges[r].count * sizeof *cuts);
        count += edges[r].count;
        before = r;
    }
    return count;
}

/* The number of a cell: its last body's if it is the left half of another, its first one's if it is
 * the right half. shared: of the cuts before and behind it, -1 if there is none. */
static uint32_t number_of(uint32_t first, uint32_t last, int64_t before, int64_t behind)
{
    if (before < 0 && behind < 0)
        return 0;
    return behind > before ? last : first;
}

static int by_size(const void *a, const void *b)
{
    const struct top_cell *one = a, *other = b;
    const uint32_t size = one->last - one->first, other_size = other->last - other->first;
    if (size != other_size)
        return size > other_size ? 1 : -1;
    return (one->first > other->first) - (one->first < other->first);
}

/* Builds the Cartesian tree: for every cut, the nearest smaller ones on both sides bound its
 * cell. */
static void build_top(struct top *top, const struct curve *curve, const struct top_cut *cuts,
                      size_t count)
{
    size_t *left = memory_new(count + 1, sizeof *left),
           *stack = memory_new(count + 1, sizeof *stack);
    size_t *right = memory_new(count + 1, sizeof *right), waiting = 0;
    for (size_t k = 0; k < count; k++) {
        for (right[k] = count; waiting > 0 && cuts[stack[waiting - 1]].shared > cuts[k].shared;
             waiting--)
            right[stack[waiting - 1]] = k;
        left[k] = waiting > 0 ? stack[waiting - 1] : count;
        stack[waiting++] = k;
    }
    const uint32_t end = (uint32_t)curve->total - 1;
    for (size_t k = 0; k < count; k++) {
        const bool bounded = left[k] < count, limited = right[k] < count;
        const uint32_t first = bounded ? cuts[left[k]].place + 1 : 0;
        const uint32_t last = limited ? cuts[right[k]].place : end;
        top->cells[top->cell_count++] =
            (struct top_cell){first, last, cuts[k].place,
                              number_of(first, last, bounded ? (int64_t)cuts[left[k]].shared : -1,
                                        limited ? (int64_t)cuts[right[k]].shared : -1)};
    }
    for (size_t k = 0; k <= count; k++) {
        const uint32_t first = k > 0 ? cuts[k - 1].place + 1 : 0;
        const uint32_t last = k < count ? cuts[k].place : end;
        top->branches[top->branch_count++] =
            (struct top_branch){first, last,
                                number_of(first, last, k > 0 ? (int64_t)cuts[k - 1].shared : -1,
                                          k < count ? (int64_t)cuts[k].shared : -1),
                                curve_owner(curve, first)};
    }
    qsort(top->cells, top->cell_count, sizeof *top->cells, by_size);
    free(left);
    free(right);
    free(stack);
}

static int by_place(const void *a, const void *b)
{
    const uint32_t one = ((const struct top_cut *)a)->place,
                   other = ((const struct top_cut *)b)->place;
    return (one > other) - (one < other);
}

static enum status edge_on(struct stretch_device *device, const struct curve *curve,
                           struct edge *edge)
{
    uint64_t ends[2];
    uint32_t found = 0;
    enum status status =
        device->ops->edge(device, (uint32_t)curve->starts[ranks_own()], ends, edge->cuts, &found);
    if (status != STATUS_OK)
        return status;
    edge->first = ends[0];
    edge->last = ends[1];
    qsort(edge->cuts, found, sizeof *edge->cuts, by_place);
    for (uint32_t k = 0; k < found; k++)
        if (k == 0 || edge->cuts[k].place != edge->cuts[edge->count - 1].place)
            edge->cuts[edge->count++] = edge->cuts[k];
    return STATUS_OK;
}

/* Notes the keys next to the rank's stretch. */
static void note_borders(struct curve *curve, const struct edge *edges, size_t own)
{
    curve->before = curve->behind = false;
    for (int r = 0; r < ranks_count() && own > 0; r++) {
        if (curve->starts[r] == curve->starts[r + 1] || r == ranks_own())
            continue;
        if (r < ranks_own()) {
            curve->before = true;
            curve->key_before = edges[r].last;
        } else if (!curve->behind) {
            curve->behind = true;
            curve->key_behind = edges[r].first;
        }
    }
}

enum status top_find(struct top *top, struct curve *curve, size_t own)
{
    const size_t ranks = (size_t)ranks_count();
    struct edge *edge = memory_new(1, sizeof *edge), *edges = memory_new(ranks, sizeof *edges);
    enum status status = STATUS_OK;
    if (own > 0 && curve->device) {
        status = edge_on(curve->device, curve, edge);
    } else if (own > 0) {
        edge->first = curve->key[0];
        edge->last = curve->key[own - 1];
        find_cuts(curve, own, edge);
    }
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = ranks_gather_each(edge, edges, sizeof *edge);
    if (status == STATUS_OK) {
        struct top_cut *cuts = memory_new(ranks * (TOP_CUTS_MOST + 1), sizeof *cuts);
        const size_t count = all_cuts(curve, edges, cuts);
        note_borders(curve, edges, own);
        top_close(top);
        top->cells = memory_new(count + 1, sizeof *top->cells);
        top->branches = memory_new(count + 1, sizeof *top->branches);
        build_top(top, curve, cuts, count);
        free(cuts);
    }
    free(edge);
    free(edges);
    return status;
}
